// System calls that hosted code may not use: the answers of the filter for both architectures, and
// those of this kernel to a small program that makes only these calls.
import { expect, test } from 'vitest'
import { isIsolated, warnOfMissingTools } from '../../server/test/support/tiers.ts'
import { availableIsolations } from './isolation.ts'
import { findLauncher, type Launcher } from './launch.ts'
import { createSandbox } from './runner/pool.ts'
import { deniedCalls, seccompProgram } from './seccomp.ts'

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const machines = {
  x64: { arch: 0xc000003e, clone: 56, socket: 41, usual: [0, 1, 9, 59, 202, 231] },
  arm64: { arch: 0xc00000b7, clone: 220, socket: 198, usual: [56, 63, 64, 93, 98, 222] },
}

interface Call {
  arch: number
  number: number
  first?: number
}

/** Interprets the program like the kernel: 'allowed', 'killed', or an errno. */
function run(program: Buffer, { arch, number, first = 0 }: Call): string | number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(arch, 4)
  data.writeUInt32LE(first >>> 0, 16)
  let a = 0
  for (let at = 0; ; ) {
    const [code, yes, no, k] = [
      program.readUInt16LE(at * 8),
      program[at * 8 + 2]!,
      program[at * 8 + 3]!,
      program.readUInt32LE(at * 8 + 4),
    ]
    at += 1
    if (code === 0x20) a = data.readUInt32LE(k)
    else if (code === 0x06) return toOutcome(k)
    else at += holds(code, a, k) ? yes : no
  }
}

function toOutcome(returned: number): string | number {
  if (returned === 0x7fff0000) return 'allowed'
  return returned === 0x80000000 ? 'killed' : returned & 0xffff
}

function holds(code: number, a: number, k: number): boolean {
  if (code === 0x15) return a === k
  return code === 0x35 ? a >= k : (a & k) !== 0
}

test.each(['x64', 'arm64'] as const)(
  'on %s, rejects the listed calls and allows others',
  (machine) => {
    const { arch, clone, socket, usual } = machines[machine]
    const program = seccompProgram(machine)!
    const answer = (number: number, first?: number) =>
      run(program, { arch, number, ...(first !== undefined && { first }) })
    const calls = deniedCalls(machine)
    expect(Object.keys(calls)).toEqual(
      expect.arrayContaining([
        'ptrace',
        'mount',
        'bpf',
        'kexec_load',
        'keyctl',
        'userfaultfd',
        'perf_event_open',
        'unshare',
        'setns',
        'io_uring_setup',
      ]),
    )
    for (const [name, number] of Object.entries(calls))
      expect([name, answer(number)]).toEqual([name, EPERM])
    for (const number of usual)
      expect([number, answer(number)]).toEqual([number, 'allowed'])
    expect(answer(435), 'clone3').toBe(ENOSYS)
    for (const [flags, expected] of [
      [0x3d0f00, 'allowed'],
      [17, 'allowed'],
      [0x10000011, EPERM],
      [0x00020000, EPERM],
    ] as const)
      expect(answer(clone, flags), `clone with the flags 0x${flags.toString(16)}`).toBe(
        expected,
      )
    for (const family of [1, 2, 10, 16])
      expect(answer(socket, family), `socket family ${family}`).toBe('allowed')
    for (const family of [0, 17, 38, 40])
      expect(answer(socket, family), `socket family ${family}`).toBe(EAFNOSUPPORT)
    expect(run(program, { arch: 0x40000003, number: usual[0]! })).toBe('killed')
    if (machine === 'x64') expect(answer(0x40000000 + 39)).toBe(ENOSYS)
  },
)

test('does not exist for unknown architectures', () => {
  expect([seccompProgram('s390x'), deniedCalls('s390x')]).toEqual([null, {}])
})

/**
 * A program for Linux on x86_64 that makes the calls in order, and writes the 8 bytes that each
 * returns.
 */
function caller(calls: [number: number, first?: number, second?: number][]): Buffer {
  const long = (value: number) => [
    value & 255,
    (value >> 8) & 255,
    (value >> 16) & 255,
    (value >>> 24) & 255,
  ]
  const size = calls.length * 8
  const code = [
    0x48,
    0x81,
    0xec,
    ...long(size),
    0x49,
    0x89,
    0xe4, // sub rsp, size; mov r12, rsp
    ...calls.flatMap(([number, first = 0, second = 0]) => [
      0xbf,
      ...long(first),
      0xbe,
      ...long(second),
      0x31,
      0xd2,
      0x45,
      0x31,
      0xd2,
      0x45,
      0x31,
      0xc0,
      0x45,
      0x31,
      0xc9, // edi, esi; edx, r10, r8, r9 = 0
      // syscall; mov [r12], rax; add r12, 8
      0xb8,
      ...long(number),
      0x0f,
      0x05,
      0x49,
      0x89,
      0x04,
      0x24,
      0x49,
      0x83,
      0xc4,
      0x08,
    ]),
    0xbf,
    ...long(1),
    0x48,
    0x89,
    0xe6,
    0xba,
    ...long(size),
    0xb8,
    ...long(1),
    0x0f,
    0x05, // write(1, rsp, size)
    0x31,
    0xff,
    0xb8,
    ...long(60),
    0x0f,
    0x05, // exit(0)
  ]
  return executable(code)
}

/** An ELF file with one segment. */
function executable(code: number[]): Buffer {
  const [base, headers] = [0x400000, 120]
  const file = Buffer.concat([Buffer.alloc(headers), Buffer.from(code)])
  file.write('\x7fELF', 'latin1')
  file.set([2, 1, 1], 4)
  file.writeUInt16LE(2, 16)
  file.writeUInt16LE(62, 18)
  file.writeUInt32LE(1, 20)
  file.writeBigUInt64LE(BigInt(base + headers), 24)
  file.writeBigUInt64LE(64n, 32)
  file.writeUInt16LE(64, 52)
  file.writeUInt16LE(56, 54)
  file.writeUInt16LE(1, 56)
  file.writeUInt32LE(1, 64)
  file.writeUInt32LE(5, 68)
  file.writeBigUInt64LE(BigInt(base), 80)
  file.writeBigUInt64LE(BigInt(base), 88)
  for (const at of [96, 104]) file.writeBigUInt64LE(BigInt(file.length), at)
  file.writeBigUInt64LE(4096n, 112)
  return file
}

/** Runs a program in the sandbox, without Node's permission flag, as if it had a flaw. */
async function inside(
  program: Buffer,
  wanted: { seccomp: boolean; proc?: boolean },
): Promise<{ status: number | null; signal: string | null; out: string }> {
  const isolations = availableIsolations().flatMap((way) =>
    way.bwrap && way.seccomp === wanted.seccomp && way.proc === (wanted.proc ?? true)
      ? [{ ...way, permission: false }]
      : [],
  )
  const sandbox = await createSandbox({
    onLog: () => {},
    find: (options) => findLauncher({ ...options, minTier: 2, isolations }),
  })
  try {
    const code = `exports.handler = async ({ body }) => {
      require('fs').writeFileSync('/tmp/caller', Buffer.from(body, 'base64'), { mode: 0o755 })
      const { status, signal, stdout } = require('child_process').spawnSync('/tmp/caller')
      return { body: JSON.stringify({ status, signal, out: stdout.toString('base64') }) }
    }`
    const unit = {
      key: 'caller',
      version: '1',
      load: async () => Buffer.from(code),
      environment: async () => ({}),
      memoryMb: 64,
    }
    const request = {
      method: 'POST',
      path: '/',
      query: '',
      headers: {},
      body: program.toString('base64'),
    }
    return JSON.parse(
      (await sandbox.invoke(unit, request, { timeoutMs: 30_000, cause: null })).body,
    )
  } finally {
    await sandbox.close(0)
  }
}
const returned = ({ out }: { out: string }) => {
  const bytes = Buffer.from(out, 'base64')
  return Array.from({ length: bytes.length / 8 }, (_, i) =>
    Number(bytes.readBigInt64LE(i * 8)),
  )
}

warnOfMissingTools()
const canTry = isIsolated && process.arch === 'x64'
if (isIsolated && !canTry)
  test.skip('skipped: the programs with system calls are written for x86_64', () => {})

test.runIf(canTry)(
  'the kernel applies the filter, and would allow some of these calls without it',
  { timeout: 60_000 },
  async () => {
    const calls = Object.values(deniedCalls()).map((number): [number] => [number])
    const more: [number, number?, number?][] = [
      [435],
      [56, 0x10000011],
      [41, 40, 1],
      [41, 38, 5],
    ]
    for (const proc of [true, false]) {
      const refused = await inside(caller([...calls, ...more]), { seccomp: true, proc })
      expect(returned(refused)).toEqual([
        ...calls.map(() => -EPERM),
        -ENOSYS,
        -EPERM,
        -EAFNOSUPPORT,
        -EAFNOSUPPORT,
      ])
    }
    const open = returned(await inside(caller(calls), { seccomp: false }))
    expect(open.filter((value) => value !== -EPERM).length).toBeGreaterThan(10)
  },
)

test.runIf(isIsolated)(
  'isolates where /proc cannot be mounted, and Node still measures',
  {
    timeout: 60_000,
  },
  async () => {
    const isolations = availableIsolations()
      .filter((way) => !way.proc)
      .map((way) => ({ ...way, permission: false }))
    let launcher: Launcher | null = null
    const sandbox = await createSandbox({
      onLog: () => {},
      async find(options) {
        const found = await findLauncher({ ...options, minTier: 2, isolations })
        launcher = found.launcher
        return found
      },
    })
    try {
      expect(launcher!.stopped).toEqual(
        expect.arrayContaining([
          'see other processes',
          'make any system call',
          'read files',
        ]),
      )
      const code = `exports.handler = async () => {
      const { rss, heapUsed } = process.memoryUsage()
      const proc = require('fs').existsSync('/proc')
      return { body: JSON.stringify([proc, rss, heapUsed, process.memoryUsage.rss()]) }
    }`
      const unit = {
        key: 'measured',
        version: '1',
        load: async () => Buffer.from(code),
        environment: async () => ({}),
        memoryMb: 64,
      }
      const request = { method: 'POST', path: '/', query: '', headers: {}, body: '' }
      const { body } = await sandbox.invoke(unit, request, {
        timeoutMs: 30_000,
        cause: null,
      })
      const [proc, rss, heapUsed, rssAlone] = JSON.parse(body)
      expect(proc).toBe(false)
      for (const bytes of [rss, rssAlone]) expect(bytes).toBeGreaterThan(heapUsed)
      expect(heapUsed).toBeGreaterThan(1e6)
    } finally {
      await sandbox.close(0)
    }
  },
)

test.runIf(canTry)('calls of 32 bits end the process', { timeout: 60_000 }, async () => {
  const getpid = executable([
    0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05,
  ])
  // A kernel may have no such calls (`ia32_emulation=0`, confidential guests): it ends each process.
  const bare = await inside(getpid, { seccomp: false })
  const signal = bare.signal === 'SIGSEGV' ? 'SIGSEGV' : 'SIGSYS'
  if (signal === 'SIGSYS') expect(bare).toMatchObject({ status: 0, signal: null })
  expect(await inside(getpid, { seccomp: true })).toMatchObject({ status: null, signal })
})
