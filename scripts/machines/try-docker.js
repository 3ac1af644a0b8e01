// Follows docs/deployment.md with a Docker engine: builds the image, runs it with the options of each
// isolation tier, and starts both files of Docker Compose. Talks to an SDK bot in each. Needs the ports 4000,
// 80 and 443. The last line counts the checks.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, expect, finish, leaveOut, until } from './checks.js'
import { readBlocks } from './document.js'
import { hasEngine, openEngine, provideImages } from './engine.js'

const clone = fileURLToPath(new URL('../..', import.meta.url))
const page = join(clone, 'docs/deployment.md')
const bundle = join(clone, 'examples/echo-bot/dist/bot.cjs')
const program = join(clone, 'packages/cli/bin/botstead.js')
const imageNames = /(?:^ARG BASE=|\bimage: )(\S+[:/]\S+)/gm

/** With the key in the same file, as HAProxy needs it. */
const certificate = `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \\
  -addext subjectAltName=DNS:localhost -keyout key.pem -out certificate.pem 2>&1
cat certificate.pem key.pem > botstead.pem
chown 99 botstead.pem && chmod 400 botstead.pem`

if (!hasEngine()) {
  leaveOut('Docker, because no engine responds')
  finish()
}
const closeEngine = await openEngine()

const [commands] = readBlocks(page, '## Docker')
const [build, runDocumented] = commands.replaceAll('\\\n', '').trim().split('\n')
const profiles = / --security-opt (seccomp|apparmor)=\S+/g
/** The rows of the table in the documentation. */
const tiers = [
  { name: 'tier 1', command: runDocumented.replaceAll(profiles, '') },
  { name: 'tier 2, without /proc', command: runDocumented },
  {
    name: 'tier 2',
    command: runDocumented.replace(
      'docker run',
      'docker run --security-opt systempaths=unconfined',
    ),
  },
]

try {
  await check('the images that the files name', async () => {
    const files = ['Dockerfile', 'compose.yaml', 'compose.scale.yaml']
    const texts = files.map((file) => readFileSync(join(clone, file), 'utf8'))
    const names = texts.flatMap((text) =>
      [...text.matchAll(imageNames)].map(([, name]) => name),
    )
    const replaced = await provideImages([...new Set(names)])
    return replaced.length > 0 && `Debian's programs for ${replaced.join(', ')}`
  })
  await check('docker build', () => void shell(build, clone))
  for (const tier of tiers) await check(`docker run, ${tier.name}`, () => tryRun(tier))
  await check('docker compose', () => inCopy(tryCompose))
  await check('docker compose with several servers', () => inCopy(tryScale))
} finally {
  await closeEngine()
}
finish()

async function tryRun({ name: tier, command }) {
  const name = 'botstead-trial'
  shell(
    command
      .replace('botstead:/data', `${name}:/data`)
      .replace('botstead-backups:', `${name}-backups:`)
      .replace('--name botstead', `--name ${name}`),
    clone,
  )
  const inside = (...words) => ['docker', 'exec', '--interactive', name, ...words]
  try {
    await until('the health check passes', () =>
      expect(
        run(['docker', 'inspect', '--format', '{{.State.Health.Status}}', name]),
        /^healthy/,
      ),
    )
    expect(attempt(inside('botstead', 'doctor')), new RegExp(`\\(${tier.slice(0, 6)}\\)`))
    const isWithoutProc = run(['docker', 'logs', name]).includes('"no /proc"')
    if (isWithoutProc !== tier.includes('without'))
      throw new Error(`without /proc: ${isWithoutProc}`)
    talk(inside)
    expect(attempt(inside('touch', '/opt/botstead/x')), /Read-only file system/)
    run(['docker', 'stop', '--time', '60', name])
    expect(run(['docker', 'inspect', '--format', '{{.State.ExitCode}}', name]), /^0/)
  } finally {
    attempt(['docker', 'rm', '--force', name])
    attempt(['docker', 'volume', 'rm', name, `${name}-backups`])
  }
}

/** Tries a file of Docker Compose in a copy of the clone, because it needs an `.env`. */
async function inCopy(work) {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-compose-'))
  for (const file of execFileSync('git', ['ls-files'], { cwd: clone, encoding: 'utf8' })
    .trim()
    .split('\n'))
    cpSync(join(clone, file), join(folder, file))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function tryCompose(folder) {
  const compose = (...words) => run(['docker', 'compose', ...words], { cwd: folder })
  const [start, trust] = readBlocks(page, '## Docker Compose')
  try {
    const everyMinute = `echo "BOTSTEAD_BACKUP_SCHEDULE=* * * * *" > .env\n`
    const started = shell(
      everyMinute + withoutTerminal(start).replace(' > .env', ' >> .env'),
      folder,
    )
    const link = linkIn(started)
    const signIn = withoutTerminal(trust)
      .replace(/'https:.*'/, `'${link}'`)
      .replace('botstead login', `node '${program}' login`)
    const env = { ...process.env, XDG_CONFIG_HOME: folder }
    await until('Caddy serves TLS', () => shell(signIn, folder, env))
    talkThrough({ ...env, NODE_EXTRA_CA_CERTS: join(folder, 'root.crt') })
    await until('the first backup is verified', () =>
      expect(compose('logs', 'server'), /made a backup and restored it/),
    )
    expect(compose('exec', '-T', 'server', 'ls', '/backups'), /\.backup$/m)
  } finally {
    attempt(['docker', 'compose', 'down', '--volumes'], { cwd: folder })
  }
}

/** Loses a server while people talk, and adds two. */
async function tryScale(folder) {
  const words = ['docker', 'compose', '--file', 'compose.scale.yaml']
  const compose = (...more) => run([...words, ...more], { cwd: folder })
  const [start] = readBlocks(page, '## Several servers with Docker Compose')
  shell(certificate, folder)
  try {
    const started = shell(
      withoutTerminal(start).replace('bots.example.org', 'localhost'),
      folder,
    )
    const env = {
      ...process.env,
      XDG_CONFIG_HOME: folder,
      NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
    }
    run(['node', program, 'login', linkIn(started)], { env })
    const bot = talkThrough(env)
    const [first] = compose('ps', '--quiet', 'server').split('\n')
    run(['docker', 'kill', first])
    for (let i = 0; i < 6; i++) talkTo(bot, env)
    compose('up', '--detach', '--scale', 'server=5')
    await until('five servers are ready', () => {
      const healthy = compose('ps', 'server').match(/\(healthy\)/g)
      expect(String(healthy?.length), '5')
    })
    talkTo(bot, env)
  } finally {
    attempt([...words, 'down', '--volumes'], { cwd: folder })
  }
}

/** There is none here. */
function withoutTerminal(commands) {
  return commands.replaceAll(/^(docker compose .*)\bexec /gm, '$1exec -T ')
}

/** The printed link that signs in. */
function linkIn(output) {
  return /https:\/\/localhost\/\S+/.exec(output)[0]
}

/** Deploys the bot through the proxy, and has a conversation with it. Returns the bot's ID. */
function talkThrough(env) {
  const bot = /bot_\w+/.exec(run(['node', program, 'deploy', bundle], { env }))[0]
  talkTo(bot, env)
  return bot
}

function talkTo(bot, env) {
  expect(run(['node', program, 'chat', bot], { env, input: 'hello\n' }), /hello/)
}

/** Deploys the bot, and has a conversation with it. */
function talk(inside) {
  run(inside('sh', '-c', 'cat > /data/bot.cjs'), { input: readFileSync(bundle) })
  const bot = /bot_\w+/.exec(run(inside('botstead', 'deploy', '/data/bot.cjs')))[0]
  expect(run(inside('botstead', 'chat', bot), { input: 'hello\n' }), /hello/)
}

/**
 * Returns the output.
 * @param {string[]} command
 */
function attempt([program, ...args], options = {}) {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: clone,
    encoding: 'utf8',
    ...options,
  })
  return stdout + stderr
}

/**
 * Returns the output. Throws if the program fails.
 * @param {string[]} command
 */
function run([program, ...args], options = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: clone,
    encoding: 'utf8',
    ...options,
  })
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${(stdout + stderr).slice(-3_000)}`)
  return stdout + stderr
}

function shell(command, cwd, env = process.env) {
  return run(['sh', '-ec', command], { cwd, env, maxBuffer: 100_000_000 })
}
