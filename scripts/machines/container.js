// Runs an image as container engines do: as its user, without capabilities, with a read-only root file
// system, its own processes, and parts of /proc hidden (bubblewrap covers them when it runs as root).
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readChild, run } from './debian.js'

/**
 * Starts a program. `end` stops it.
 * @param {string[]} command
 */
export function start([program, ...args]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  return {
    pid: child.pid,
    ended,
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts the command of an image. `volumes` maps paths inside to folders. */
export function startContainer(image, { volumes, env }) {
  const uid = execFileSync('chroot', [image.root, 'id', '-u', image.user], {
    encoding: 'utf8',
  }).trim()
  const asUser = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--no-new-privs',
    '--',
  ]
  const command = (words, more = {}) => {
    const variables = Object.entries({ ...image.env, ...env, ...more })
    const assigned = variables.map(([name, value]) => `${name}=${value}`)
    return ['env', '-i', `--chdir=${image.cwd}`, ...assigned, ...asUser, ...words]
  }
  // Container engines write it.
  writeFileSync(join(image.root, 'etc/hosts'), '127.0.0.1 localhost\n')
  const container = start([
    'bwrap',
    '--ro-bind',
    image.root,
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...Object.entries(volumes).flatMap(([inside, folder]) => ['--bind', folder, inside]),
    '--perms',
    '1777',
    '--tmpfs',
    '/tmp',
    '--unshare-pid',
    '--as-pid-1',
    '--die-with-parent',
    ...['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]),
    '--',
    ...command([...image.entrypoint, ...image.command]),
  ])
  return {
    ...container,
    /** Stops it as `docker stop` does. */
    async end() {
      if (!container.hasEnded()) process.kill(readChild(container.pid), 'SIGTERM')
      await container.ended
    },
    /** Executes a command in the running container, and returns its output. */
    execute(words, more, input) {
      const target = ['--target', String(readChild(container.pid)), '--mount', '--pid']
      return run('nsenter', [...target, ...command(words, more)], { input })
    },
  }
}
