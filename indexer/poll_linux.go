package indexer

import "golang.org/x/sys/unix"

// remote are file systems that others change without this system knowing. Source: statfs(2).
var remote = map[int64]string{
	unix.NFS_SUPER_MAGIC: "nfs", unix.SMB_SUPER_MAGIC: "smb", unix.CIFS_SUPER_MAGIC: "cifs", unix.SMB2_SUPER_MAGIC: "smb",
	unix.FUSE_SUPER_MAGIC: "fuse", unix.V9FS_MAGIC: "9p", unix.CEPH_SUPER_MAGIC: "ceph", unix.AFS_FS_MAGIC: "afs", unix.AFS_SUPER_MAGIC: "afs",
	unix.CODA_SUPER_MAGIC: "coda", unix.NCP_SUPER_MAGIC: "ncp", 0x786f4256: "vboxsf", 0x47504653: "gpfs", 0x0bd00bd0: "lustre", 0xbacbacbc: "vmhgfs",
}

// remoteType names the file system of a folder where the system does not tell of all changes; "" where it does.
func remoteType(dir string) string {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return ""
	}
	return remote[int64(fs.Type)&0xffffffff]
}
