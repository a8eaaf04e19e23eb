/* OpenAFS src/fsint/afsint.xg, afscbint.xg; Linux fs/afs/protocol_yfs.h. */
#include "netprobe/decode/afs_ops.h"

static const struct afs_op fs[] = {
        {130, "FetchData", AFS_BULK_TO_CLIENT},
        {131, "FetchACL", AFS_BULK_NONE},
        {132, "FetchStatus", AFS_BULK_NONE},
        {133, "StoreData", AFS_BULK_TO_SERVER},
        {134, "OldStoreACL", AFS_BULK_NONE},
        {135, "StoreStatus", AFS_BULK_NONE},
        {136, "RemoveFile", AFS_BULK_NONE},
        {137, "CreateFile", AFS_BULK_NONE},
        {138, "Rename", AFS_BULK_NONE},
        {139, "Symlink", AFS_BULK_NONE},
        {140, "Link", AFS_BULK_NONE},
        {141, "MakeDir", AFS_BULK_NONE},
        {142, "RemoveDir", AFS_BULK_NONE},
        {143, "OldSetLock", AFS_BULK_NONE},
        {144, "OldExtendLock", AFS_BULK_NONE},
        {145, "OldReleaseLock", AFS_BULK_NONE},
        {146, "GetStatistics", AFS_BULK_NONE},
        {147, "GiveUpCallBacks", AFS_BULK_NONE},
        {148, "GetVolumeInfo", AFS_BULK_NONE},
        {149, "GetVolumeStatus", AFS_BULK_NONE},
        {150, "SetVolumeStatus", AFS_BULK_NONE},
        {151, "GetRootVolume", AFS_BULK_NONE},
        {152, "CheckToken", AFS_BULK_NONE},
        {153, "GetTime", AFS_BULK_NONE},
        {154, "NGetVolumeInfo", AFS_BULK_NONE},
        {155, "BulkStatus", AFS_BULK_TO_CLIENT},
        {156, "SetLock", AFS_BULK_NONE},
        {157, "ExtendLock", AFS_BULK_NONE},
        {158, "ReleaseLock", AFS_BULK_NONE},
        {159, "XStatsVersion", AFS_BULK_NONE},
        {160, "GetXStats", AFS_BULK_NONE},
        {161, "Lookup", AFS_BULK_NONE},
        {162, "FlushCPS", AFS_BULK_NONE},
        {163, "DFSSymlink", AFS_BULK_NONE},
        {164, "StoreACL", AFS_BULK_NONE},
        {220, "FsCmd", AFS_BULK_NONE},
        {65536, "InlineBulkStatus", AFS_BULK_TO_CLIENT},
        {65537, "FetchData64", AFS_BULK_TO_CLIENT},
        {65538, "StoreData64", AFS_BULK_TO_SERVER},
        {65539, "GiveUpAllCallBacks", AFS_BULK_NONE},
        {65540, "GetCapabilities", AFS_BULK_NONE},
        {65541, "CallBackRxConnAddr", AFS_BULK_NONE},
        {65542, "GetStatistics64", AFS_BULK_NONE},
        {65551, "ServerPath", AFS_BULK_NONE},
        {65552, "PerfTest", AFS_BULK_NONE},
        {65557, "GetOSDlocation", AFS_BULK_NONE},
        {65558, "InverseLookup", AFS_BULK_NONE},
        {65559, "CheckOSDconns", AFS_BULK_NONE},
        {65560, "OsdPolicy", AFS_BULK_NONE},
        {65561, "SetOsdFileReady", AFS_BULK_NONE},
        {65562, "GetOsdMetadata", AFS_BULK_TO_CLIENT},
};

static const struct afs_op cb[] = {
        {204, "CallBack", AFS_BULK_NONE},
        {205, "InitCallBackState", AFS_BULK_NONE},
        {206, "Probe", AFS_BULK_NONE},
        {207, "GetLock", AFS_BULK_NONE},
        {208, "GetCE", AFS_BULK_NONE},
        {209, "XStatsVersion", AFS_BULK_NONE},
        {210, "GetXStats", AFS_BULK_NONE},
        {211, "InitCallBackState2", AFS_BULK_NONE},
        {212, "WhoAreYou", AFS_BULK_NONE},
        {213, "InitCallBackState3", AFS_BULK_NONE},
        {214, "ProbeUuid", AFS_BULK_NONE},
        {215, "GetServerPrefs", AFS_BULK_NONE},
        {216, "GetCellServDB", AFS_BULK_NONE},
        {217, "GetLocalCell", AFS_BULK_NONE},
        {218, "GetCacheConfig", AFS_BULK_NONE},
        {65536, "GetCE64", AFS_BULK_NONE},
        {65537, "GetCellByNum", AFS_BULK_NONE},
        {65538, "TellMeAboutYourself", AFS_BULK_NONE},
};

static const struct afs_op yfs_fs[] = {
        {64131, "FetchACL", AFS_BULK_NONE},
        {64132, "FetchStatus", AFS_BULK_NONE},
        {64134, "StoreACL", AFS_BULK_NONE},
        {64135, "StoreStatus", AFS_BULK_NONE},
        {64136, "RemoveFile", AFS_BULK_NONE},
        {64137, "CreateFile", AFS_BULK_NONE},
        {64138, "Rename", AFS_BULK_NONE},
        {64139, "Symlink", AFS_BULK_NONE},
        {64140, "Link", AFS_BULK_NONE},
        {64141, "MakeDir", AFS_BULK_NONE},
        {64142, "RemoveDir", AFS_BULK_NONE},
        {64149, "GetVolumeStatus", AFS_BULK_NONE},
        {64150, "SetVolumeStatus", AFS_BULK_NONE},
        {64156, "SetLock", AFS_BULK_NONE},
        {64157, "ExtendLock", AFS_BULK_NONE},
        {64158, "ReleaseLock", AFS_BULK_NONE},
        {64161, "Lookup", AFS_BULK_NONE},
        {64165, "FlushCPS", AFS_BULK_NONE},
        {64168, "FetchOpaqueACL", AFS_BULK_NONE},
        {64170, "WhoAmI", AFS_BULK_NONE},
        {64171, "RemoveACL", AFS_BULK_NONE},
        {64173, "RemoveFile2", AFS_BULK_NONE},
        {64174, "StoreOpaqueACL2", AFS_BULK_NONE},
        {64536, "InlineBulkStatus", AFS_BULK_TO_CLIENT},
        {64537, "FetchData64", AFS_BULK_TO_CLIENT},
        {64538, "StoreData64", AFS_BULK_TO_SERVER},
        {64540, "UpdateSymlink", AFS_BULK_NONE},
};

static const struct afs_op yfs_cb[] = {
        {206, "Probe", AFS_BULK_NONE},
        {207, "GetLock", AFS_BULK_NONE},
        {209, "XStatsVersion", AFS_BULK_NONE},
        {210, "GetXStats", AFS_BULK_NONE},
        {213, "InitCallBackState3", AFS_BULK_NONE},
        {214, "ProbeUuid", AFS_BULK_NONE},
        {215, "GetServerPrefs", AFS_BULK_NONE},
        {216, "GetCellServDB", AFS_BULK_NONE},
        {217, "GetLocalCell", AFS_BULK_NONE},
        {218, "GetCacheConfig", AFS_BULK_NONE},
        {64204, "CallBack", AFS_BULK_NONE},
        {65537, "GetCellByNum", AFS_BULK_NONE},
        {65538, "TellMeAboutYourself", AFS_BULK_NONE},
};

struct afs_ops afs_ops_fs(void)
{
	return AFS_OPS(fs);
}

struct afs_ops afs_ops_cb(void)
{
	return AFS_OPS(cb);
}

struct afs_ops afs_ops_yfs_fs(void)
{
	return AFS_OPS(yfs_fs);
}

struct afs_ops afs_ops_yfs_cb(void)
{
	return AFS_OPS(yfs_cb);
}
