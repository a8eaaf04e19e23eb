/* OpenAFS src/vlserver/vl_opcodes.h, ptserver/ptint.xg, kauth/kauth.rg, budb/budb.rg
 * (numbered from 0 in its order), ubik/ubik_int.xg; Linux fs/afs/afs_vl.h. */
#include "netprobe/decode/afs_ops.h"

static const struct afs_op vl[] = {
        {501, "CreateEntry", AFS_BULK_NONE},
        {502, "DeleteEntry", AFS_BULK_NONE},
        {503, "GetEntryByID", AFS_BULK_NONE},
        {504, "GetEntryByName", AFS_BULK_NONE},
        {505, "GetNewVolumeId", AFS_BULK_NONE},
        {506, "ReplaceEntry", AFS_BULK_NONE},
        {507, "UpdateEntry", AFS_BULK_NONE},
        {508, "SetLock", AFS_BULK_NONE},
        {509, "ReleaseLock", AFS_BULK_NONE},
        {510, "ListEntry", AFS_BULK_NONE},
        {511, "ListAttributes", AFS_BULK_TO_CLIENT},
        {512, "LinkedList", AFS_BULK_NONE},
        {513, "GetStats", AFS_BULK_NONE},
        {514, "Probe", AFS_BULK_NONE},
        {515, "GetAddrs", AFS_BULK_NONE},
        {516, "ChangeAddr", AFS_BULK_NONE},
        {517, "CreateEntryN", AFS_BULK_NONE},
        {518, "GetEntryByIDN", AFS_BULK_NONE},
        {519, "GetEntryByNameN", AFS_BULK_NONE},
        {520, "ReplaceEntryN", AFS_BULK_NONE},
        {521, "ListEntryN", AFS_BULK_NONE},
        {522, "ListAttributesN", AFS_BULK_TO_CLIENT},
        {523, "LinkedListN", AFS_BULK_NONE},
        {524, "UpdateEntryByName", AFS_BULK_NONE},
        {525, "CreateEntryU", AFS_BULK_NONE},
        {526, "GetEntryByIDU", AFS_BULK_NONE},
        {527, "GetEntryByNameU", AFS_BULK_NONE},
        {528, "ReplaceEntryU", AFS_BULK_NONE},
        {529, "ListEntryU", AFS_BULK_NONE},
        {530, "ListAttributesU", AFS_BULK_TO_CLIENT},
        {531, "LinkedListU", AFS_BULK_NONE},
        {532, "RegisterAddrs", AFS_BULK_NONE},
        {533, "GetAddrsU", AFS_BULK_NONE},
        {534, "ListAttributesN2", AFS_BULK_TO_CLIENT},
        {65537, "GetCapabilities", AFS_BULK_NONE},
};

static const struct afs_op yfs_vl[] = {
        {64002, "GetEndpoints", AFS_BULK_NONE},
        {64014, "GetCellName", AFS_BULK_NONE},
        {65537, "GetCapabilities", AFS_BULK_NONE},
};

static const struct afs_op pt[] = {
        {500, "INewEntry", AFS_BULK_NONE},
        {501, "WhereIsIt", AFS_BULK_NONE},
        {502, "DumpEntry", AFS_BULK_NONE},
        {503, "AddToGroup", AFS_BULK_NONE},
        {504, "NameToID", AFS_BULK_NONE},
        {505, "IDToName", AFS_BULK_NONE},
        {506, "Delete", AFS_BULK_NONE},
        {507, "RemoveFromGroup", AFS_BULK_NONE},
        {508, "GetCPS", AFS_BULK_NONE},
        {509, "NewEntry", AFS_BULK_NONE},
        {510, "ListMax", AFS_BULK_NONE},
        {511, "SetMax", AFS_BULK_NONE},
        {512, "ListEntry", AFS_BULK_NONE},
        {513, "ChangeEntry", AFS_BULK_NONE},
        {514, "ListElements", AFS_BULK_NONE},
        {515, "IsAMemberOf", AFS_BULK_NONE},
        {516, "SetFieldsEntry", AFS_BULK_NONE},
        {517, "ListOwned", AFS_BULK_NONE},
        {518, "GetCPS2", AFS_BULK_NONE},
        {519, "GetHostCPS", AFS_BULK_NONE},
        {520, "UpdateEntry", AFS_BULK_NONE},
        {521, "ListEntries", AFS_BULK_TO_CLIENT},
        {530, "ListSuperGroups", AFS_BULK_NONE},
};

static const struct afs_op ka[] = {
        {1, "Authenticate_old", AFS_BULK_NONE}, {2, "ChangePassword", AFS_BULK_NONE},
        {3, "GetTicket_old", AFS_BULK_NONE},    {4, "SetPassword", AFS_BULK_NONE},
        {5, "SetFields", AFS_BULK_NONE},        {6, "CreateUser", AFS_BULK_NONE},
        {7, "DeleteUser", AFS_BULK_NONE},       {8, "GetEntry", AFS_BULK_NONE},
        {9, "ListEntry", AFS_BULK_NONE},        {10, "GetStats", AFS_BULK_NONE},
        {11, "Debug", AFS_BULK_NONE},           {12, "GetPassword", AFS_BULK_NONE},
        {13, "GetRandomKey", AFS_BULK_NONE},    {14, "Unlock", AFS_BULK_NONE},
        {15, "LockStatus", AFS_BULK_NONE},      {21, "Authenticate", AFS_BULK_NONE},
        {22, "AuthenticateV2", AFS_BULK_NONE},  {23, "GetTicket", AFS_BULK_NONE},
};

static const struct afs_op budb[] = {
        {0, "AddVolume", AFS_BULK_NONE},        {1, "CreateDump", AFS_BULK_NONE},
        {2, "DeleteDump", AFS_BULK_NONE},       {3, "DeleteTape", AFS_BULK_NONE},
        {4, "DeleteVDP", AFS_BULK_NONE},        {5, "FindClone", AFS_BULK_NONE},
        {6, "FindDump", AFS_BULK_NONE},         {7, "FindLatestDump", AFS_BULK_NONE},
        {8, "MakeDumpAppended", AFS_BULK_NONE}, {9, "FindLastTape", AFS_BULK_NONE},
        {10, "FinishDump", AFS_BULK_NONE},      {11, "FinishTape", AFS_BULK_NONE},
        {12, "GetDumps", AFS_BULK_TO_CLIENT},   {13, "GetTapes", AFS_BULK_TO_CLIENT},
        {14, "GetVolumes", AFS_BULK_TO_CLIENT}, {15, "UseTape", AFS_BULK_NONE},
        {16, "GetText", AFS_BULK_TO_CLIENT},    {17, "GetTextVersion", AFS_BULK_NONE},
        {18, "SaveText", AFS_BULK_TO_SERVER},   {19, "FreeAllLocks", AFS_BULK_NONE},
        {20, "FreeLock", AFS_BULK_NONE},        {21, "GetInstanceId", AFS_BULK_NONE},
        {22, "GetLock", AFS_BULK_NONE},         {23, "DbVerify", AFS_BULK_NONE},
        {24, "DumpDB", AFS_BULK_TO_CLIENT},     {25, "RestoreDbHeader", AFS_BULK_NONE},
        {26, "T_GetVersion", AFS_BULK_NONE},    {27, "T_DumpHashTable", AFS_BULK_NONE},
        {28, "T_DumpDatabase", AFS_BULK_NONE},  {29, "AddVolumes", AFS_BULK_TO_SERVER},
        {30, "ListDumps", AFS_BULK_NONE},
};

static const struct afs_op ubik[] = {
        {10000, "Beacon", AFS_BULK_NONE},
        {10001, "DebugOld", AFS_BULK_NONE},
        {10002, "SDebugOld", AFS_BULK_NONE},
        {10003, "GetSyncSite", AFS_BULK_NONE},
        {10004, "Debug", AFS_BULK_NONE},
        {10005, "SDebug", AFS_BULK_NONE},
        {10006, "XDebug", AFS_BULK_NONE},
        {10007, "XSDebug", AFS_BULK_NONE},
        {20000, "Begin", AFS_BULK_NONE},
        {20001, "Commit", AFS_BULK_NONE},
        {20002, "Lock", AFS_BULK_NONE},
        {20003, "Write", AFS_BULK_TO_SERVER},
        {20004, "GetVersion", AFS_BULK_NONE},
        {20005, "GetFile", AFS_BULK_TO_CLIENT},
        {20006, "SendFile", AFS_BULK_TO_SERVER},
        {20007, "Abort", AFS_BULK_NONE},
        {20008, "ReleaseLocks", AFS_BULK_NONE},
        {20009, "Truncate", AFS_BULK_NONE},
        {20010, "Probe", AFS_BULK_NONE},
        {20011, "WriteV", AFS_BULK_TO_SERVER},
        {20012, "UpdateInterfaceAddr", AFS_BULK_NONE},
        {20013, "SetVersion", AFS_BULK_NONE},
};

struct afs_ops afs_ops_vl(void)
{
	return AFS_OPS(vl);
}

struct afs_ops afs_ops_yfs_vl(void)
{
	return AFS_OPS(yfs_vl);
}

struct afs_ops afs_ops_pt(void)
{
	return AFS_OPS(pt);
}

struct afs_ops afs_ops_ka(void)
{
	return AFS_OPS(ka);
}

struct afs_ops afs_ops_budb(void)
{
	return AFS_OPS(budb);
}

struct afs_ops afs_ops_ubik(void)
{
	return AFS_OPS(ubik);
}
