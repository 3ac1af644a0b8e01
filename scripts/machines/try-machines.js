// Follows docs/deployment.md on root file systems of Debian that have only Node at first: the section about
// systemd in a booted machine, there also other proxies and Prometheus (services.js), and the steps of the
// Dockerfile. Talks to the SDK bot of each through a proxy with TLS. Needs root, mmdebstrap and the tarball
// of `npm run pack`. With --whole, also builds the package inside, as the first stage of the Dockerfile
// does. The last line counts the checks.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../lib/free-port.js'
import { findMemoryFolder } from '../lib/memory-folder.js'
import { check, expect, finish, leaveOut, until } from './checks.js'
import { start, startContainer } from './container.js'
import { copyRoot, createDebian, run, runInside } from './debian.js'
import { buildImage } from './dockerfile.js'
import { readBlocks } from './document.js'
import { bootMachine } from './machine.js'
import { tryOtherProxies, tryPrometheus } from './services.js'

const clone = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(
  readFileSync(join(clone, 'packages/cli/package.json'), 'utf8'),
)
const tarball = join(clone, `botstead-${version}.tgz`)
const bundle = join(clone, 'examples/echo-bot/dist/bot.cjs')
const host = 'bots.example.org'
const services = ['haproxy', 'caddy', 'prometheus']
const everyMinute = '* * * * *'
/** The server's log after a scheduled backup. */
const verified = 'made a backup and restored it into a temporary database'

const missing = findMissing()
if (missing) {
  leaveOut(`machines, ${missing}`)
  finish()
}

const folder = mkdtempSync(join(findMemoryFolder() ?? tmpdir(), 'botstead-machines-'))
try {
  const base = join(folder, 'base')
  await check('a root file system of Debian', () =>
    createDebian(base, ['systemd', 'openssl', 'ca-certificates']),
  )
  await Promise.all([
    check('a machine with systemd, nginx and the package', () => trySystemd(base)),
    check('the image of the Dockerfile behind Caddy', () => tryImage(base)),
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
finish()

function findMissing() {
  if (process.getuid?.() !== 0) return 'which only root can make'
  if (!existsSync('/usr/bin/mmdebstrap')) return 'because mmdebstrap is not installed'
  if (!existsSync(tarball)) return 'because `npm run pack` has not run'
  return null
}

async function trySystemd(base) {
  const root = join(folder, 'machine')
  await copyRoot(base, root)
  mkdirSync(join(root, 'root/downloads'))
  for (const file of [tarball, bundle])
    await run('cp', [file, join(root, 'root/downloads')])
  const page = join(clone, 'docs/deployment.md')
  const commands = readBlocks(page, '## systemd')
  const [install, createService, startProxy, signIn, backUp, openNetwork, ...more] =
    commands
  if (more.length > 0) throw new Error(`nothing runs these commands: ${more}`)
  await runInside(root, install, { cwd: '/root/downloads' })
  // Each starts when it is tried.
  await runInside(
    root,
    `apt-get install --yes --no-install-recommends ${services.join(' ')}`,
  )
  await runInside(root, `systemctl disable ${services.join(' ')}`)
  await createCertificate(join(root, 'etc/ssl/botstead'))
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${host}\n`)

  const machine = await bootMachine(root)
  try {
    await machine.run(createService)
    await machine.run(backUp.replace('30 2 * * *', everyMinute))
    // Written last, after the first bot.
    const started = 'test -f /var/lib/botstead/credentials.json'
    await until('the service has started', () => machine.run(started))
    const enter = 'cd /usr/local/lib/node_modules/botstead/deploy\n'
    await machine.run(enter + startProxy)
    expect(await machine.run(signIn), `https://${host}/`)
    const settings =
      'BOTSTEAD_DATA=/var/lib/botstead NODE_EXTRA_CA_CERTS=/etc/ssl/botstead/fullchain.pem'
    const cli = `runuser -u botstead -- env ${settings} botstead`
    const deployed = await machine.run(
      `cp downloads/bot.cjs /tmp/; ${cli} deploy /tmp/bot.cjs`,
    )
    expect(await machine.run(`echo hello | ${cli} chat ${botIn(deployed)}`), 'hello')
    const readLog = () =>
      machine.run('journalctl --unit botstead --output cat --no-pager')
    await until('the first backup is verified', async () =>
      expect(await readLog(), verified),
    )
    expect(await machine.run('ls /var/lib/botstead/backups'), '.backup')
    expect(await readLog(), '"tier":2')
    const rating = await machine.run(
      'systemd-analyze security botstead --no-pager | tail -n 1',
    )
    const exposure = Number(/: ([\d.]+) /.exec(rating)?.[1])
    if (!(exposure <= 2)) throw new Error(`systemd rates the service ${rating}`)
    await machine.run(enter + openNetwork)
    expect(await machine.run('systemctl is-active botstead'), /^active/)
    await tryOtherProxies(machine, host)
    await tryPrometheus(machine, cli)
    await machine.run('systemctl stop botstead')
    return `tier 2, exposure ${exposure}, a verified backup, three proxies, Prometheus`
  } finally {
    await machine.end()
  }
}

async function tryImage(base) {
  const given = process.argv.includes('--whole')
    ? {}
    : { package: (path) => join(clone, path.replace('/src/', '')) }
  const image = await buildImage(join(clone, 'Dockerfile'), {
    context: clone,
    folder,
    base,
    given,
  })
  const volumes = await createVolumes(['/data', '/backups'])
  const [port, tlsPort] = [await freePort(), await freePort()]
  const env = {
    BOTSTEAD_PORT: String(port),
    BOTSTEAD_PUBLIC_URL: `https://localhost:${tlsPort}`,
    BOTSTEAD_BACKUP_SCHEDULE: everyMinute,
  }
  const container = startContainer(image, { volumes, env })
  const proxy = start(caddyCommand(port, tlsPort))
  try {
    const started = ['test', '-f', '/data/credentials.json']
    await until('the image has started', () => container.execute(started), container)
    // As Docker repeats it: on a busy machine, the database may need more than the 1.5 s of `/readyz`.
    await until(
      'the image is healthy',
      () => container.execute(image.healthcheck),
      container,
    )
    const ca = join(folder, 'caddy/pki/authorities/local/root.crt')
    await until('Caddy has its certificate', async () => readFileSync(ca), proxy)
    writeFileSync(join(volumes['/data'], 'ca.pem'), readFileSync(ca), { mode: 0o644 })
    await run('cp', [bundle, volumes['/data']])
    const trust = { NODE_EXTRA_CA_CERTS: '/data/ca.pem' }
    const deployed = await container.execute(
      ['botstead', 'deploy', '/data/bot.cjs'],
      trust,
    )
    const chat = ['botstead', 'chat', botIn(deployed)]
    expect(await container.execute(chat, trust, 'hello\n'), 'hello')
    await until('the first backup is verified', async () =>
      expect(container.output(), verified),
    )
    expect(readdirSync(volumes['/backups']).join(), '.backup')
    await expectFailure(
      container.execute(['touch', '/opt/botstead/x']),
      'Read-only file system',
    )
    for (const part of ['"tier":2', '"no /proc"']) expect(container.output(), part)
    return 'tier 2 without /proc, a verified backup'
  } finally {
    await Promise.all([proxy.end(), container.end()])
  }
}

/** Creates folders that the user of the image owns, as Docker does for new volumes. */
async function createVolumes(names) {
  const volumes = Object.fromEntries(
    names.map((name) => [name, join(folder, 'volumes', name)]),
  )
  for (const path of Object.values(volumes))
    await run('install', ['-d', '-o', '10001', '-g', '10001', '-m', '700', path])
  return volumes
}

function botIn(text) {
  return /bot_\w+/.exec(text)[0]
}

function caddyCommand(port, tlsPort) {
  const options = [
    'admin off',
    'skip_install_trust',
    `https_port ${tlsPort}`,
    'auto_https disable_redirects',
  ]
  const file = join(folder, 'Caddyfile')
  const site = join(clone, 'deploy/caddy/Caddyfile')
  writeFileSync(file, `{\n${options.join('\n')}\n}\nimport ${site}\n`)
  const env = [
    `XDG_DATA_HOME=${folder}`,
    `HOME=${folder}`,
    `BOTSTEAD_UPSTREAM=127.0.0.1:${port}`,
  ]
  return ['env', ...env, 'caddy', 'run', '--config', file, '--adapter', 'caddyfile']
}

async function createCertificate(target) {
  mkdirSync(target, { recursive: true })
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${host}`,
    '-addext',
    `subjectAltName=DNS:${host}`,
    '-keyout',
    join(target, 'privkey.pem'),
    '-out',
    join(target, 'fullchain.pem'),
  ])
}

async function expectFailure(attempt, part) {
  const error = await attempt.then(
    () => null,
    (error) => error,
  )
  expect(error?.message ?? 'no error', part)
}
