// The seccomp filter (classic BPF) for hosted code. It denies system calls that Node never needs
// and that often exposed kernel vulnerabilities. bubblewrap installs it last, so it also applies to
// Node. System call numbers differ by machine.

/** Denied with EPERM. [x86_64, aarch64]; null where the machine lacks the call. */
const refused: Record<string, [x64: number | null, arm64: number | null]> = {
  // other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // namespaces and mounts
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  // the kernel itself
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  lookup_dcookie: [212, 18],
  syslog: [103, 116],
  // the machine
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  uselib: [134, null],
  personality: [135, 92],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  get_mempolicy: [239, 236],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
}

interface Machine {
  column: 0 | 1
  /** AUDIT_ARCH_… */
  arch: number
  clone: number
  clone3: number
  socket: number
  /** Numbers from here on belong to another ABI of the same kernel (x32). */
  foreign: number | null
}

const machines: Partial<Record<string, Machine>> = {
  x64: {
    column: 0,
    arch: 0xc000003e,
    clone: 56,
    clone3: 435,
    socket: 41,
    foreign: 0x40000000,
  },
  arm64: {
    column: 1,
    arch: 0xc00000b7,
    clone: 220,
    clone3: 435,
    socket: 198,
    foreign: null,
  },
}

/** The denied calls of this machine by name; tests try them. */
export const deniedCalls = (machine: string = process.arch): Record<string, number> => {
  const column = machines[machine]?.column
  if (column === undefined) return {}
  return Object.fromEntries(
    Object.entries(refused).flatMap(([name, numbers]) =>
      numbers[column] === null ? [] : [[name, numbers[column]]],
    ),
  )
}

const allow = 0x7fff0000
const killProcess = 0x80000000
const fail = (errno: number) => 0x00050000 | errno
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]

// struct seccomp_data: number, machine, instruction pointer, six arguments of 8 bytes, the low half
// first
const [atNumber, atArch, atFirstArgument] = [0, 4, 16]

/** The CLONE_NEW… flags of `clone`. */
const newNamespaces = 0x7e020000
/**
 * Unix, IPv4, IPv6, and netlink, which lists the process's own addresses. Others, such as vsock,
 * bypass the network namespace.
 */
const families = [1, 2, 10, 16]

/** Returns null for an unsupported machine. */
export function seccompProgram(machine: string = process.arch): Buffer | null {
  const known = machines[machine]
  if (!known) return null
  const { arch, clone, clone3, socket, foreign } = known
  return Buffer.concat([
    load(atArch),
    ...unless(arch, killProcess),
    load(atNumber),
    ...(foreign === null
      ? []
      : [jump(jumps.atLeast, foreign, 0, 1), answer(fail(ENOSYS))]),
    ...Object.values(deniedCalls(machine)).flatMap((number) => when(number, fail(EPERM))),
    // The flags of clone3 are behind a pointer, out of the filter's reach; on ENOSYS, libraries
    // fall back to `clone`.
    ...when(clone3, fail(ENOSYS)),
    jump(jumps.equal, clone, 0, 4),
    load(atFirstArgument),
    jump(jumps.anyOf, newNamespaces, 0, 1),
    answer(fail(EPERM)),
    answer(allow),
    jump(jumps.equal, socket, 0, families.length * 2 + 2),

    load(atFirstArgument),
    ...families.flatMap((family) => when(family, allow)),
    answer(fail(EAFNOSUPPORT)),
    answer(allow),
  ])
}

const jumps = { equal: 0x15, atLeast: 0x35, anyOf: 0x45 }

const load = (offset: number) => instruction(0x20, 0, 0, offset)
/**
 * `yes` and `no` are the numbers of instructions to skip when the comparison holds, and when it
 * does not.
 */
const jump = (operation: number, operand: number, yes: number, no: number) =>
  instruction(operation, yes, no, operand)
const answer = (what: number) => instruction(0x06, 0, 0, what)
const when = (is: number, what: number) => [jump(jumps.equal, is, 0, 1), answer(what)]
const unless = (is: number, what: number) => [jump(jumps.equal, is, 1, 0), answer(what)]

/** struct sock_filter; both machines are little-endian. */
function instruction(code: number, yes: number, no: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(yes, 2)
  bytes.writeUInt8(no, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}
