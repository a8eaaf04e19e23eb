/* OpenAFS src/volser/volint.xg, bozo/bosint.xg, update/update.xg, butc and rxstat
 * (numbered from 0 in their order). */
#include "netprobe/decode/afs_ops.h"

static const struct afs_op vol[] = {
        {100, "CreateVolume", AFS_BULK_NONE},
        {101, "DeleteVolume", AFS_BULK_NONE},
        {102, "Restore", AFS_BULK_TO_SERVER},
        {103, "Forward", AFS_BULK_NONE},
        {104, "EndTrans", AFS_BULK_NONE},
        {105, "Clone", AFS_BULK_NONE},
        {106, "SetFlags", AFS_BULK_NONE},
        {107, "GetFlags", AFS_BULK_NONE},
        {108, "TransCreate", AFS_BULK_NONE},
        {109, "Dump", AFS_BULK_TO_CLIENT},
        {110, "GetNthVolume", AFS_BULK_NONE},
        {111, "SetForwarding", AFS_BULK_NONE},
        {112, "GetName", AFS_BULK_NONE},
        {113, "GetStatus", AFS_BULK_NONE},
        {114, "SignalRestore", AFS_BULK_NONE},
        {115, "ListPartitions", AFS_BULK_NONE},
        {116, "ListVolumes", AFS_BULK_TO_CLIENT},
        {117, "SetIdsTypes", AFS_BULK_NONE},
        {118, "Monitor", AFS_BULK_NONE},
        {119, "PartitionInfo", AFS_BULK_NONE},
        {120, "ReClone", AFS_BULK_NONE},
        {121, "ListOneVolume", AFS_BULK_NONE},
        {122, "NukeVolume", AFS_BULK_NONE},
        {123, "SetDate", AFS_BULK_NONE},
        {124, "XListVolumes", AFS_BULK_TO_CLIENT},
        {125, "XListOneVolume", AFS_BULK_NONE},
        {126, "SetInfo", AFS_BULK_NONE},
        {127, "XListPartitions", AFS_BULK_NONE},
        {128, "ForwardMultiple", AFS_BULK_NONE},
        {65536, "ConvertROtoRWvolume", AFS_BULK_NONE},
        {65537, "GetSize", AFS_BULK_NONE},
        {65538, "DumpV2", AFS_BULK_TO_CLIENT},
        {65539, "PartitionInfo64", AFS_BULK_NONE},
        {65547, "SplitVolume", AFS_BULK_NONE},
};

static const struct afs_op bos[] = {
        {80, "CreateBnode", AFS_BULK_NONE},
        {81, "DeleteBnode", AFS_BULK_NONE},
        {82, "SetStatus", AFS_BULK_NONE},
        {83, "GetStatus", AFS_BULK_NONE},
        {84, "EnumerateInstance", AFS_BULK_NONE},
        {85, "GetInstanceInfo", AFS_BULK_NONE},
        {86, "GetInstanceParm", AFS_BULK_NONE},
        {87, "AddSUser", AFS_BULK_NONE},
        {88, "DeleteSUser", AFS_BULK_NONE},
        {89, "ListSUsers", AFS_BULK_NONE},
        {90, "ListKeys", AFS_BULK_NONE},
        {91, "AddKey", AFS_BULK_NONE},
        {92, "DeleteKey", AFS_BULK_NONE},
        {93, "SetCellName", AFS_BULK_NONE},
        {94, "GetCellName", AFS_BULK_NONE},
        {95, "GetCellHost", AFS_BULK_NONE},
        {96, "AddCellHost", AFS_BULK_NONE},
        {97, "DeleteCellHost", AFS_BULK_NONE},
        {98, "SetTStatus", AFS_BULK_NONE},
        {99, "ShutdownAll", AFS_BULK_NONE},
        {100, "RestartAll", AFS_BULK_NONE},
        {101, "StartupAll", AFS_BULK_NONE},
        {102, "SetNoAuthFlag", AFS_BULK_NONE},
        {103, "ReBozo", AFS_BULK_NONE},
        {104, "Restart", AFS_BULK_NONE},
        {105, "Install", AFS_BULK_TO_SERVER},
        {106, "UnInstall", AFS_BULK_NONE},
        {107, "GetDates", AFS_BULK_NONE},
        {108, "Exec", AFS_BULK_NONE},
        {109, "Prune", AFS_BULK_NONE},
        {110, "SetRestartTime", AFS_BULK_NONE},
        {111, "GetRestartTime", AFS_BULK_NONE},
        {112, "GetLog", AFS_BULK_TO_CLIENT},
        {113, "WaitAll", AFS_BULK_NONE},
        {114, "GetInstanceStrings", AFS_BULK_NONE},
        {115, "GetRestrictedMode", AFS_BULK_NONE},
        {116, "SetRestrictedMode", AFS_BULK_NONE},
};

static const struct afs_op update[] = {
        {1, "FetchFile", AFS_BULK_TO_CLIENT},
        {2, "FetchInfo", AFS_BULK_TO_CLIENT},
};

static const struct afs_op butc[] = {
        {0, "PerformDump", AFS_BULK_NONE},   {1, "PerformRestore", AFS_BULK_NONE},
        {2, "LabelTape", AFS_BULK_NONE},     {3, "ReadLabel", AFS_BULK_NONE},
        {4, "ScanDumps", AFS_BULK_NONE},     {5, "TCInfo", AFS_BULK_NONE},
        {6, "SaveDb", AFS_BULK_NONE},        {7, "RestoreDb", AFS_BULK_NONE},
        {8, "EndStatus", AFS_BULK_NONE},     {9, "GetStatus", AFS_BULK_NONE},
        {10, "RequestAbort", AFS_BULK_NONE}, {11, "ScanStatus", AFS_BULK_NONE},
        {12, "DeleteDump", AFS_BULK_NONE},
};

static const struct afs_op rxstats[] = {
        {0, "RetrieveProcessRPCStats", AFS_BULK_NONE},
        {1, "RetrievePeerRPCStats", AFS_BULK_NONE},
        {2, "QueryProcessRPCStats", AFS_BULK_NONE},
        {3, "QueryPeerRPCStats", AFS_BULK_NONE},
        {4, "EnableProcessRPCStats", AFS_BULK_NONE},
        {5, "EnablePeerRPCStats", AFS_BULK_NONE},
        {6, "DisableProcessRPCStats", AFS_BULK_NONE},
        {7, "DisablePeerRPCStats", AFS_BULK_NONE},
        {8, "QueryRPCStatsVersion", AFS_BULK_NONE},
        {9, "ClearProcessRPCStats", AFS_BULK_NONE},
        {10, "ClearPeerRPCStats", AFS_BULK_NONE},
};

struct afs_ops afs_ops_vol(void)
{
	return AFS_OPS(vol);
}

struct afs_ops afs_ops_bos(void)
{
	return AFS_OPS(bos);
}

struct afs_ops afs_ops_update(void)
{
	return AFS_OPS(update);
}

struct afs_ops afs_ops_butc(void)
{
	return AFS_OPS(butc);
}

struct afs_ops afs_ops_rxstats(void)
{
	return AFS_OPS(rxstats);
}
