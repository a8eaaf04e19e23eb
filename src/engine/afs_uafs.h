/* What this program uses of libuafs, the OpenAFS cache manager as a library.
 *
 * No header is shipped with it; these are functions of OpenAFS 1.8
 * src/afs/UKERNEL/afs_usrops.h, the directory entry of
 * src/afs/UKERNEL/sysincludes.h and pioctl numbers of src/config/venus.h.
 * Unless said otherwise they return -1 and set errno. */
#ifndef ENGINE_AFS_UAFS_H
#define ENGINE_AFS_UAFS_H

#include <sys/stat.h>
#include <sys/types.h>

int uafs_Setup(const char *mount_dir);     /* 0 or an errno; once a process */
int uafs_ParseArgs(int argc, char **argv); /* options of afsd; 0 or not */
int uafs_Run(void);                        /* starts the daemons; 0 or not */
void uafs_Shutdown(void);                  /* prints to stdout */
int uafs_open(char *path, int flags, int mode);
int uafs_close(int fd); /* waits for the store */
int uafs_pread(int fd, char *buf, int n, off_t at);
int uafs_pwrite(int fd, char *buf, int n, off_t at);
int uafs_fsync(int fd);
int uafs_fstat(int fd, struct stat *out);
int uafs_stat(char *path, struct stat *out);
int uafs_mkdir(char *path, int mode);
int uafs_unlink(char *path);
int uafs_rmdir(char *path);
int uafs_rename(char *from, char *to);

struct uafs_dirent {
	unsigned long d_ino;
	unsigned long d_off;
	unsigned short d_reclen;
	char d_name[256];
};

void *uafs_opendir(char *path);
struct uafs_dirent *uafs_readdir(void *dir);
int uafs_closedir(void *dir);

extern char cml_version_number[]; /* "@(#)OpenAFS 1.8.9… 2024-12-25" */

/* The pioctl call: returns 0 or an errno. */
int call_syscall(long call, long path, long command, long iob, long follow, long none);

struct uafs_iob {
	char *in, *out;
	short in_size, out_size;
};

enum {
	UAFS_CALL_PIOCTL = 20,
	UAFS_FLUSH = 0x40005600 | 6,
	UAFS_FLUSH_VOLUME = 0x40005600 | 37,
	UAFS_HANDLES = 1024 /* MAX_OSI_FILES */
};

#endif
