// Boots systemd in a root file system, in separate namespaces, with a loopback interface only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { readChild, run } from './debian.js'

/** Mounts what systemd expects of a container manager, and becomes systemd. */
const boot = `
mount --make-rprivate /
mount --bind "$0" "$0"
cd "$0"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount --rbind /dev dev
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mkdir -p old
pivot_root . old
umount -l /old
export container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin
exec /lib/systemd/systemd --system --show-status=no --unit=multi-user.target`

const namespaces = ['--pid', '--mount', '--cgroup', '--uts', '--ipc', '--net']

/** Returns the running machine. `run` executes a shell command in it as root, and returns the output. */
export async function bootMachine(root) {
  const args = [...namespaces, '--fork', '--kill-child', 'bash', '-ec', boot, root]
  const child = spawn('unshare', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
  const end = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const inside = (command) =>
    run('nsenter', [
      '--target',
      String(readChild(child.pid)),
      '--all',
      'env',
      '-i',
      '--chdir=/root',
      'HOME=/root',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'sh',
      '-ec',
      command,
    ])
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) break
    const state = await inside('systemctl is-system-running || true').catch(() => '')
    if (/running|degraded/.test(state)) return { run: inside, end }
    await pause(200)
  }
  await end()
  throw new Error(`systemd did not boot: ${output}`)
}
