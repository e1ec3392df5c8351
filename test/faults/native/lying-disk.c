/* Preloaded: every flush is said to be done, and none is. */
int fsync(int file) { return file < 0; }
int fdatasync(int file) { return file < 0; }
