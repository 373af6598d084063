//! The names of the C library and of POSIX, and what their functions do to the memory that they are given.
//!
//! A function that is not in these tables is one of the program, defined elsewhere: it returns any value of its type. What
//! one of the library returns is not just any value, so that an execution that depends on it is only an approximation. Whether a
//! function writes to what it is given is only known of those in [`READERS`] and [`PRINTERS`].

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Functions that write to no memory that a program can see, whatever they are given. They come back and call nothing.
const READERS: &str = "
    puts fputs putchar putc fputc puts_unlocked putchar_unlocked fputs_unlocked putc_unlocked fputc_unlocked
    perror fflush srand
    __VERIFIER_atomic_begin __VERIFIER_atomic_end __VERIFIER_print
    strcmp strncmp strcoll strcasecmp strncasecmp strlen strnlen memcmp strchr strrchr strstr memchr strspn strcspn strpbrk
    atoi atol atoll atof abs labs llabs imaxabs div ldiv lldiv imaxdiv
    isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toupper tolower
    difftime fegetround fetestexcept";

/// The same of functions that only gcc has by these names, after its prefix.
const BUILTIN_READERS: &str = "
    prefetch bswap16 bswap32 bswap64 bswap128 ffs ffsl ffsll clz clzl clzll ctz ctzl ctzll clrsb clrsbl clrsbll
    popcount popcountl popcountll parity parityl parityll bcmp index rindex";

/// Functions that print, with the number of the argument that is the format: they write where that says `%n`.
const PRINTERS: [(&str, usize); 21] = [
    ("printf", 0),
    ("vprintf", 0),
    ("printk", 0),
    ("_printk", 0),
    ("printf_unlocked", 0),
    ("fprintf", 1),
    ("vfprintf", 1),
    ("fprintf_unlocked", 1),
    ("dprintf", 1),
    ("vdprintf", 1),
    ("syslog", 1),
    ("vsyslog", 1),
    ("__printf_chk", 1),
    ("__vprintf_chk", 1),
    ("__syslog_chk", 2),
    ("__fprintf_chk", 2),
    ("__vfprintf_chk", 2),
    ("__dprintf_chk", 2),
    ("warnx", 0),
    ("warn", 0),
    ("error_at_line", 4),
];

/// Names whose results are not just any, by the header that declares them.
const NAMES: &str = "
    isascii toascii _tolower _toupper
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max __errno_location
    fclose feof ferror fgetc fgets fopen fdopen freopen fread fwrite fseek ftell fseeko ftello fgetpos fsetpos rewind clearerr
    fileno getc getchar gets getw putw getline getdelim ungetc remove rename tmpfile tmpnam tempnam setbuf setvbuf
    setbuffer setlinebuf popen pclose ctermid cuserid fmemopen open_memstream feof_unlocked ferror_unlocked getc_unlocked
    getchar_unlocked fgetc_unlocked flockfile ftrylockfile funlockfile renameat
    scanf fscanf sscanf vscanf vfscanf vsscanf __isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc23_scanf __isoc23_fscanf
    __isoc23_sscanf sprintf snprintf vsprintf vsnprintf asprintf vasprintf __sprintf_chk __snprintf_chk __vsprintf_chk
    __vsnprintf_chk __asprintf_chk __fgets_chk __fread_chk
    a64l l64a atexit at_quick_exit on_exit bsearch canonicalize_file_name clearenv drand48 erand48 jrand48 lrand48 mrand48
    nrand48 srand48 seed48 lcong48 ecvt fcvt gcvt qecvt qfcvt getenv secure_getenv getloadavg getsubopt grantpt initstate
    setstate rand_r random_r mblen mbstowcs mbtowc wcstombs wctomb mkdtemp mkostemp mkstemp mkstemps mktemp posix_openpt
    ptsname ptsname_r putenv qsort qsort_r realpath reallocarray rpmatch setenv srandom strfromd strfromf strtod strtof strtol
    strtold strtoll strtoq strtoul strtoull strtouq strtoimax strtoumax __isoc23_strtol __isoc23_strtoul __isoc23_strtoll
    __isoc23_strtoull __strtol_internal __strtoul_internal __strtod_internal system unlockpt unsetenv arc4random arc4random_uniform
    arc4random_buf
    memccpy memcpy memfrob memmem memmove mempcpy memrchr memset rawmemchr stpcpy stpncpy strcasestr strcat strchrnul
    strcpy strdup strndup strdupa strerror strerror_r strerror_l strfry strlcat strlcpy strncat strncpy strsep strsignal strtok
    strtok_r strverscmp strxfrm basename dirname bcmp bcopy bzero explicit_bzero index rindex ffs ffsl ffsll swab
    __strdup __rawmemchr __memcpy_chk __memset_chk __strcpy_chk __strcat_chk __strncpy_chk __strcmp __strspn_c1 __strtok_r
    memcpy_chk memset_chk
    roundeven roundevenf roundevenl frexp frexpf frexpl modf modff modfl remquo remquof remquol sincos sincosf sincosl nextup
    nextdown lgamma_r gamma_r
    htonl htons ntohl ntohs htobe16 htole16 be16toh le16toh htobe32 htole32 be32toh le32toh htobe64 htole64 be64toh le64toh
    inet_addr inet_aton inet_lnaof inet_makeaddr inet_netof inet_network inet_ntoa inet_ntop inet_pton
    accept accept4 bind connect getpeername getsockname getsockopt listen recv recvfrom recvmsg recvmmsg send sendto sendmsg
    sendmmsg setsockopt shutdown sockatmark socket socketpair getaddrinfo freeaddrinfo gai_strerror getnameinfo gethostbyname
    gethostbyaddr getservbyname getservbyport getprotobyname getprotobynumber if_nametoindex if_indextoname
    access faccessat alarm brk sbrk chdir fchdir chown fchown lchown fchownat chroot close closefrom close_range confstr
    copy_file_range crypt dup dup2 dup3 encrypt euidaccess eaccess execl execle execlp execv execve execvp execvpe fexecve
    fork vfork _Fork fdatasync fsync sync syncfs fpathconf pathconf ftruncate truncate getcwd getwd get_current_dir_name
    getdomainname getdtablesize getegid getentropy geteuid getgid getgroups gethostid gethostname getlogin getlogin_r getopt
    getopt_long getopt_long_only getpagesize getpass getpgid getpgrp getpid getppid getresgid getresuid getsid gettid getuid
    getusershell group_member isatty lchmod link linkat lockf lseek lseek64 nice pause pipe pipe2 pread pread64 profil pwrite
    pwrite64 read readlink readlinkat revoke rmdir setegid seteuid setgid setgroups sethostname setlogin setpgid setpgrp setregid
    setresgid setresuid setreuid setsid setuid sleep usleep swapoff swapon symlink symlinkat syscall sysconf tcgetpgrp
    tcsetpgrp ttyname ttyname_r ttyslot ualarm unlink unlinkat vhangup write acct daemon
    open openat open64 creat fcntl posix_fadvise posix_fallocate fallocate splice tee vmsplice readahead
    stat fstat lstat fstatat stat64 fstat64 lstat64 __xstat __fxstat __lxstat chmod fchmod fchmodat mkdir mkdirat mkfifo mkfifoat
    mknod mknodat umask utimensat futimens utime utimes futimes lutimes
    mmap mmap64 munmap mprotect msync mlock munlock mlockall munlockall madvise posix_madvise mincore mremap remap_file_pages shm_open
    shm_unlink memfd_create shmat shmctl shmdt shmget semctl semget semop msgctl msgget msgrcv msgsnd ftok
    poll ppoll select pselect epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd signalfd timerfd_create
    timerfd_settime timerfd_gettime inotify_init inotify_add_watch inotify_rm_watch ioctl prctl ptrace sendfile
    readv writev preadv pwritev
    getrlimit setrlimit prlimit getrusage getpriority setpriority sysinfo uname times wait waitpid waitid wait3 wait4
    sched_yield sched_getcpu sched_getaffinity sched_setaffinity sched_getparam sched_setparam sched_getscheduler
    sched_setscheduler sched_get_priority_max sched_get_priority_min sched_rr_get_interval
    kill killpg raise sigaction sigaddset sigaltstack sigdelset sigemptyset sigfillset siginterrupt sigismember signal bsd_signal
    sysv_signal __sysv_signal sigset sighold sigrelse sigignore sigpause sigpending sigprocmask sigqueue sigsuspend sigtimedwait
    sigwait sigwaitinfo psignal psiginfo setjmp _setjmp __sigsetjmp sigsetjmp getcontext setcontext makecontext swapcontext
    asctime asctime_r clock clock_getcpuclockid clock_getres clock_gettime clock_nanosleep clock_settime ctime ctime_r
    getdate getdate_r gettimeofday settimeofday adjtime ftime gmtime gmtime_r localtime localtime_r mktime nanosleep stime strftime
    strptime time timegm timelocal timer_create timer_delete timer_getoverrun timer_gettime timer_settime timespec_get tzset
    dysize getitimer setitimer
    closedir dirfd fdopendir opendir readdir readdir_r rewinddir scandir alphasort seekdir telldir versionsort ftw nftw
    fnmatch glob globfree wordexp wordfree regcomp regexec regerror regfree
    dlopen dlsym dladdr dlclose dlerror dlvsym iconv iconv_open iconv_close nl_langinfo setlocale localeconv newlocale
    uselocale freelocale duplocale catopen catgets catclose gettext dgettext dcgettext ngettext textdomain bindtextdomain
    getpwnam getpwuid getpwent setpwent endpwent getpwnam_r getpwuid_r getgrnam getgrgid getgrent setgrent endgrent getgrnam_r
    getgrgid_r getgrouplist initgroups
    hcreate hdestroy hsearch insque remque lfind lsearch tdelete tdestroy tfind tsearch twalk
    feclearexcept fegetenv fegetexceptflag feraiseexcept fesetexceptflag fesetround fesetenv feupdateenv feholdexcept
    feenableexcept fedisableexcept fegetexcept
    tcgetattr tcsetattr tcdrain tcflow tcflush tcsendbreak cfgetispeed cfgetospeed cfsetispeed cfsetospeed cfmakeraw
    openlog closelog setlogmask err errx verr verrx vwarn vwarnx error backtrace backtrace_symbols
    malloc_usable_size mallopt mallinfo malloc_trim memalign pvalloc
    btowc fgetwc fgetws fputwc fputws fwide fwprintf fwscanf getwc getwchar mbrlen mbrtowc mbsinit mbsrtowcs putwc putwchar
    swprintf swscanf ungetwc wcrtomb wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsftime wcslen wcsncat wcsncmp wcsncpy wcspbrk
    wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstok wcstol wcstoul wcsxfrm wctob wmemchr wmemcmp wmemcpy wmemmove wmemset
    wprintf wscanf iswalnum iswalpha iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
    towctrans towlower towupper wctrans wctype
    mtx_init mtx_lock mtx_unlock mtx_trylock mtx_destroy cnd_init cnd_wait cnd_signal cnd_broadcast cnd_destroy thrd_create
    thrd_join thrd_current thrd_detach thrd_equal thrd_sleep thrd_yield tss_create tss_get tss_set tss_delete call_once
    sem_init sem_destroy sem_open sem_close sem_unlink sem_wait sem_trywait sem_timedwait sem_post sem_getvalue";

/// The words of a table.
fn words(table: &'static str) -> FxHashSet<&'static str> {
    table.split_whitespace().collect()
}

/// Whether a function is known to write to no memory that a program can see; `is_builtin` if it is one of gcc's own, the name without
/// its prefix.
pub(in crate::c) fn is_reader(name: &str, is_builtin: bool) -> bool {
    static OF_LIBRARY: LazyLock<FxHashSet<&str>> = LazyLock::new(|| words(READERS));
    static OF_GCC: LazyLock<FxHashSet<&str>> = LazyLock::new(|| words(BUILTIN_READERS));
    OF_LIBRARY.contains(name) || is_builtin && OF_GCC.contains(name)
}

/// The number of the argument that is the format, of a function that prints and does nothing else.
pub(in crate::c) fn printer(name: &str) -> Option<usize> {
    PRINTERS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
}

/// Whether a name is that of a function of the library whose result is not just any value.
pub(in crate::c) fn is_of_library(name: &str) -> bool {
    static ALL: LazyLock<FxHashSet<&str>> = LazyLock::new(|| words(NAMES));
    ALL.contains(name) || is_reader(name, false) || printer(name).is_some()
}

/// Whether printing by a format may write to an argument.
pub(in crate::c) fn has_count(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(percent) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[percent + 1..];
        // Flags, widths and lengths go before the letter that tells what is printed.
        let is_before = |byte: &u8| b"-+ #0'123456789*$.hlLqjztIw".contains(byte);
        let Some(letter) = rest.iter().position(|byte| !is_before(byte)) else { return false };
        if rest[letter] == b'n' {
            return true;
        }
        rest = &rest[letter + 1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_count() {
        for format in ["%n", "abc%hhn", "%lln", "%1$n", "%*n", "%-08.3ln", "%d%n", "%%%n", "% n"] {
            assert!(has_count(format.as_bytes()), "{format}");
        }
        for format in ["", "n", "%%n", "%d\n", "100%", "%sn", "%ldn", "%cn", "%%%%n", "%5.3fn"] {
            assert!(!has_count(format.as_bytes()), "{format}");
        }
    }

    /// Whatever may write must not be in the table of those that do not.
    #[test]
    fn no_function_that_writes_is_a_reader() {
        let writers = "scanf sscanf fgets fread gets getline sprintf snprintf asprintf strcpy strncpy strcat memcpy memmove \
            memset strtol strtod frexp modf remquo sincos time localtime_r gettimeofday read recv qsort bsearch getcwd strtok \
            strsep mbtowc setvbuf sigaction atexit signal setjmp longjmp realloc posix_memalign";
        for name in writers.split_whitespace() {
            assert!(!is_reader(name, false) && printer(name).is_none(), "{name}");
        }
    }

    /// What is in two tables is meant differently by one of them.
    #[test]
    fn every_name_is_in_one_table() {
        let names = words(NAMES);
        for name in READERS.split_whitespace().chain(PRINTERS.iter().map(|(name, _)| *name)) {
            assert!(!names.contains(name), "{name}");
        }
        assert_eq!(names.len(), NAMES.split_whitespace().count());
    }
}
