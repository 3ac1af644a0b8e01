// Root file systems of Debian, made by mmdebstrap, and programs inside them. Needs root.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Runs a program and returns its output. Throws with the output if it fails.
 * @param {string} program
 * @param {string[]} args
 * @param {{ input?: string, env?: NodeJS.ProcessEnv }} options
 */
export async function run(program, args, { input, env } = {}) {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: '/',
    ...(env && { env }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  child.stdin.on('error', () => {}).end(input ?? '')
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new Error(
      `${program} ${args.at(-1)} ended with ${code}: ${output.slice(-2_000)}`,
    )
  return output
}

/** Creates a minimal Debian with this machine's Node in /usr/local, as the official images of Node have it. */
export async function createDebian(target, packages) {
  const include = `--include=${packages.join(',')}`
  await run('mmdebstrap', ['--quiet', '--variant=minbase', include, 'bookworm', target])
  const modules = join(target, 'usr/local/lib/node_modules')
  mkdirSync(modules, { recursive: true })
  cpSync(process.execPath, join(target, 'usr/local/bin/node'))
  cpSync(
    join(dirname(process.execPath), '../lib/node_modules/npm'),
    join(modules, 'npm'),
    {
      recursive: true,
    },
  )
  await run('ln', [
    '-s',
    '../lib/node_modules/npm/bin/npm-cli.js',
    join(target, 'usr/local/bin/npm'),
  ])
}

export const copyRoot = (from, to) => run('cp', ['-a', from, to])

/**
 * Returns the command line that runs a shell command as root in a root file system, with this machine's
 * network and npm settings.
 */
export function commandInside(root, command, { env = {}, cwd = '/' } = {}) {
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  const settings = [
    ...bound('/etc/resolv.conf', '/etc/resolv.conf'),
    ...bound(join(homedir(), '.npmrc'), '/root/.npmrc'),
    ...(certificates ? bound(certificates, '/run/certificates.pem') : []),
  ]
  const variables = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    ...(certificates && { NODE_EXTRA_CA_CERTS: '/run/certificates.pem' }),
    ...env,
  }
  return [
    'bwrap',
    '--bind',
    root,
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    // As each Debian has it.
    '--tmpfs',
    '/dev/shm',
    '--tmpfs',
    '/run',
    '--unshare-pid',
    '--die-with-parent',
    '--cap-add',
    'ALL',
    '--clearenv',
    ...settings,
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    cwd,
    '--',
    '/bin/sh',
    '-ec',
    command,
  ]
}

const bound = (from, to) => (existsSync(from) ? ['--ro-bind', from, to] : [])

export function runInside(root, command, options) {
  const [program, ...args] = commandInside(root, command, options)
  return run(program, args)
}

/** The first child of a process: of a program that creates namespaces, the first process inside. */
export const readChild = (pid) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
