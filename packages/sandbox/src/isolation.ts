// Builds the command line that starts a runner process with layered isolation. Every system has the
// base: a separate process group, an empty environment, Node's permission flag (no files, processes
// or workers), a limit on the JavaScript heap, and the lowest priority. The tools of util-linux add
// hard limits on memory, files and processes, and end the process with the server. bubblewrap adds
// namespaces that contain only the files that Node needs.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, lstatSync, readlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { permissionFlag } from '@botstead/lib'
import { megabyte } from './runner/memory.ts'
import { seccompProgram } from './seccomp.ts'
import { temporaryFolder } from './serverless-node.ts'
import { temporaryBytes } from './temporary-folder.ts'

/** 1: contains accidents. 2: isolates with namespaces. */
export type Tier = 1 | 2

export interface Isolation {
  /** Path of bubblewrap; null for tier 1. */
  bwrap: string | null
  setpriv: string | null
  prlimit: string | null
  nice: string | null
  choom: string | null
  /** Each process runs as a different user. */
  ownUser: boolean
  /** Denies system calls (seccomp.ts); only with bubblewrap. */
  seccomp: boolean
  /**
   * Mounts /proc in the namespaces of bubblewrap. The kernel rejects it where parts of the server's
   * own /proc are hidden, as container engines and systemd (ProtectKernelTunables) do.
   */
  proc: boolean
  /** Node's permission flag; omitted only to probe whether the other layers suffice without it. */
  permission: boolean
}

export const getTier = ({ bwrap }: Isolation): Tier => (bwrap ? 2 : 1)

/** Lists the ways to try on this machine, strongest first. */
export function availableIsolations(): Isolation[] {
  const root = process.getuid?.() === 0
  const users = root ? [true, false] : [false]
  const some = {
    setpriv: findTool('setpriv'),
    prlimit: findTool('prlimit'),
    nice: findTool('nice'),
    choom: findTool('choom'),
    seccomp: false,
    proc: false,
    permission: true,
  }
  const none = {
    setpriv: null,
    prlimit: null,
    nice: null,
    choom: null,
    seccomp: false,
    proc: false,
    permission: true,
  }
  const bwrap = findTool('bwrap')
  return [
    ...(bwrap && some.prlimit
      ? users.flatMap((ownUser) =>
          namespaceWays().map((way) => ({ ...some, bwrap, ownUser, ...way })),
        )
      : []),
    ...[some, none].flatMap((tools) =>
      users.map((ownUser) => ({ ...tools, bwrap: null, ownUser })),
    ),
  ]
}

/** Without /proc, only the filter keeps code from creating namespaces. */
const namespaceWays = () => [
  ...(seccompProgram() ? [true, false].map((proc) => ({ seccomp: true, proc })) : []),
  { seccomp: false, proc: true },
]

export function describeIsolation(way: Isolation): string[] {
  const always = [
    'own process group',
    'empty environment',
    permissionFlag,
    'lowest priority',
    'watchdog on memory',
    'killed at the deadline',
  ]
  if (way.prlimit) always.push('limits on memory, files and processes')
  if (way.setpriv || way.bwrap) always.push('no new privileges', 'dies with the server')
  if (way.ownUser) always.push('a separate user')
  if (way.bwrap)
    always.push(
      'own namespaces',
      'no files of the machine',
      'no capabilities',
      'no network except through the server',
    )
  if (hasTemporaryFolder(way))
    always.push(`a temporary folder of ${temporaryBytes / megabyte} MB, in memory`)
  if (way.bwrap && !way.proc) always.push('no /proc')
  if (way.seccomp) always.push('no system calls that Node does not need (seccomp)')
  return always
}

export interface LaunchLimits {
  memoryMb: number
  /**
   * Limit on allocated memory; null where the system does not report the baseline of an empty
   * process.
   */
  dataBytes: number | null
  /** The socket to the server; in tier 2 also the only way out (egress.ts). */
  egressSocket: string | null
}

export function toCommand(
  way: Isolation,
  { memoryMb, dataBytes, egressSocket }: LaunchLimits,
): string[] {
  const node = [process.execPath, ...nodeFlags(way, memoryMb), '-']
  const lowPriority = [
    ...(way.nice ? [way.nice, '-n', '19'] : []),
    ...(way.choom ? [way.choom, '-n', '1000', '--'] : []),
  ]
  if (way.bwrap)
    return [
      ...lowPriority,
      way.bwrap,
      ...namespaces(way, egressSocket),
      ...limits(way, dataBytes),
      ...node,
    ]
  return [
    ...lowPriority,
    ...(way.setpriv ? [way.setpriv, '--pdeathsig', 'KILL', '--no-new-privs'] : []),
    ...limits(way, dataBytes),
    ...node,
  ]
}

/** The file descriptor from which bubblewrap reads the seccomp program. */
export const seccompAt = 4

/** The path of the egress socket inside the namespace. */
export const egressSocketInside = '/door'

function namespaces(
  { bwrap: path, prlimit, seccomp, proc }: Isolation,
  egressSocket: string | null,
): string[] {
  const bwrap = path!
  const own = [
    ...(proc
      ? ['--unshare-all', ...optional(bwrap, '--disable-userns')]
      : unshareWithoutProc),
    '--unshare-user',
    '--new-session',
    '--die-with-parent',
    '--hostname',
    'bot',
  ]
  const certificates = [
    '/etc/ssl/certs',
    '/usr/share/ca-certificates',
    '/etc/pki/tls/certs',
    '/etc/pki/ca-trust/extracted',
  ]
  const temporary = [
    ...optional(bwrap, '--size', String(temporaryBytes)),
    '--tmpfs',
    temporaryFolder,
  ]
  const seen = [
    ...libraries(),
    ...[process.execPath, prlimit!].flatMap((file) => ['--ro-bind', file, file]),
  ]
  const tried = certificates.flatMap((folder) => ['--ro-bind-try', folder, folder])
  const filter = seccomp ? ['--seccomp', String(seccompAt)] : []
  const way = egressSocket ? ['--bind', egressSocket, egressSocketInside] : []
  return [
    ...own,
    '--cap-drop',
    'ALL',
    // First, because Node.js may be in the folder that it covers.
    ...temporary,
    ...seen,
    ...tried,
    ...(proc ? ['--proc', '/proc'] : []),
    '--dev',
    '/dev',
    ...way,
    // These are in-memory file systems without a size limit.
    ...['/dev', '/'].flatMap((folder) => optional(bwrap, '--remount-ro', folder)),
    ...filter,
    '--chdir',
    '/',
    '--',
  ]
}

/**
 * A namespace of control groups would hide what only /proc shows, and `--disable-userns` writes to
 * the server's /proc.
 */
const unshareWithoutProc = ['ipc', 'pid', 'net', 'uts'].map((name) => `--unshare-${name}`)

const libraries = () =>
  ['/usr/lib', '/usr/lib32', '/usr/lib64', '/lib', '/lib32', '/lib64'].flatMap(asItIs)

/**
 * Returns the command that runs trusted code of the server in namespaces without network and other
 * processes, where it can read only the libraries and these folders. Null without bubblewrap.
 */
export function withoutNetwork(command: string[], folders: string[]): string[] | null {
  const bwrap = findTool('bwrap')
  if (!bwrap) return null
  return [
    bwrap,
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    ...libraries(),
    // First, because a folder may be in /dev/shm.
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--ro-bind',
    command[0]!,
    command[0]!,
    ...folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    '--chdir',
    '/',
    '--',
    ...command,
  ]
}

function asItIs(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found) return []
  return found.isSymbolicLink()
    ? ['--symlink', readlinkSync(folder), folder]
    : ['--ro-bind', folder, folder]
}

/** Older versions of bubblewrap lack some options. */
let help: string | null = null
function optional(bwrap: string, option: string, ...values: string[]): string[] {
  help ??= execFileSync(bwrap, ['--help'], { encoding: 'utf8', env: {} })
  return help.includes(` ${option} `) || help.includes(` ${option}\n`)
    ? [option, ...values]
    : []
}

/** Only where the size can be limited, which older versions of bubblewrap cannot. */
const hasTemporaryFolder = ({ bwrap }: Isolation) =>
  bwrap !== null && optional(bwrap, '--size', String(temporaryBytes)).length > 0

function limits(way: Isolation, dataBytes: number | null): string[] {
  if (!way.prlimit) return []
  return [
    way.prlimit,
    '--core=0',
    '--nofile=256',
    // The kernel counts processes per user, so set this only where no other process has the same
    // user.
    ...(way.ownUser || way.bwrap ? ['--nproc=128'] : []),
    `--fsize=${64 * megabyte}`,
    ...(dataBytes ? [`--data=${dataBytes}`] : []),
  ]
}

function nodeFlags(way: Isolation, memoryMb: number): string[] {
  const { permission } = way
  const flags = [
    '--disable-proto=delete',
    '--enable-experimental-regexp-engine-on-excessive-backtracks',
    `--max-old-space-size=${memoryMb}`,
  ]
  if (permission) flags.push(permissionFlag)
  if (permission && hasTemporaryFolder(way))
    flags.push(
      ...['read', 'write'].map((right) => `--allow-fs-${right}=${temporaryFolder}/*`),
    )
  // Only the namespace restricts the network, because code must reach our API. SQLite would bypass
  // the permission flag.
  if (permission && isNodeFlag('--allow-net')) flags.push('--allow-net')
  if (isNodeFlag('--experimental-sqlite')) flags.push('--no-experimental-sqlite')
  return [
    ...flags,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--input-type=module',
  ]
}

const isNodeFlag = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag)

function findTool(name: string): string | null {
  if (process.platform !== 'linux') return null
  for (const folder of [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/bin',
  ]) {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {
      // Not in this folder.
    }
  }
  return null
}
