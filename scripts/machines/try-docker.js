// Follows docs/deployment.md with a Docker engine: builds the image, runs it with the options of each
// isolation tier, and starts Docker Compose. Talks to an SDK bot in each. Needs the ports 4000, 80 and 443,
// and the images that the files name. The last line counts the checks. Not in `.ci/run`, which has no engine
// and no registry of images: there, `try-machines.js` runs the steps of the Dockerfile.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, expect, finish, leaveOut, until } from './checks.js'
import { blocksOf } from './document.js'

const clone = fileURLToPath(new URL('../..', import.meta.url))
const page = join(clone, 'docs/deployment.md')
const bundle = join(clone, 'examples/echo-bot/dist/bot.cjs')
const program = join(clone, 'packages/cli/bin/botstead.js')
const has = (...command) => spawnSync('docker', command).status === 0

if (!has('info')) {
  leaveOut('Docker, because no engine responds')
  finish()
}

const [commands] = blocksOf(page, '## Docker')
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

await check('docker build', () => shell(build, clone))
for (const tier of tiers) await check(`docker run, ${tier.name}`, () => tryRun(tier))
if (has('compose', 'version')) await check('docker compose', tryCompose)
else leaveOut('Docker Compose, because it is not installed')
finish()

async function tryRun({ name: tier, command }) {
  const name = 'botstead-trial'
  shell(
    command
      .replaceAll('botstead:/data', `${name}:/data`)
      .replace('--name botstead', `--detach --name ${name}`),
    clone,
  )
  const inside = (...words) => ['docker', 'exec', '--interactive', name, ...words]
  try {
    await until('the health check passes', () =>
      expect(run(['docker', 'inspect', '--format', '{{.State.Health.Status}}', name]), /^healthy/),
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
    attempt(['docker', 'volume', 'rm', name])
  }
}

/** In a copy, because it writes `.env`. */
async function tryCompose() {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-compose-'))
  for (const file of execFileSync('git', ['ls-files'], { cwd: clone, encoding: 'utf8' })
    .trim()
    .split('\n'))
    cpSync(join(clone, file), join(folder, file))
  const compose = (...words) => ['docker', 'compose', ...words]
  const [start] = blocksOf(page, '## Docker Compose')
  try {
    // There is no terminal here.
    const everyMinute = `echo "BOTSTEAD_BACKUP_SCHEDULE=* * * * *" > .env\n`
    const commands = start
      .replaceAll('compose exec', 'compose exec -T')
      .replace(' > .env', ' >> .env')
    const started = shell(everyMinute + commands, folder)
    const link = /https:\/\/localhost\/\S+/.exec(started)[0]
    const certificate = '/data/caddy/pki/authorities/local/root.crt'
    const readRoot = () => run(compose('exec', '-T', 'caddy', 'cat', certificate), { cwd: folder })
    writeFileSync(join(folder, 'root.crt'), await until('Caddy has its certificate', readRoot))
    const env = {
      ...process.env,
      ...{ XDG_CONFIG_HOME: folder, NODE_EXTRA_CA_CERTS: join(folder, 'root.crt') },
    }
    const command = (...words) => run(['node', program, ...words], { env })
    await until('Caddy serves TLS', () => command('login', link))
    const bot = /bot_\w+/.exec(command('deploy', bundle))[0]
    expect(run(['node', program, 'chat', bot], { env, input: 'hello\n' }), /hello/)
    await until('the first backup is verified', () =>
      expect(run(compose('logs', 'server'), { cwd: folder }), /made a backup and restored it/),
    )
    expect(run(compose('exec', '-T', 'server', 'ls', '/backups'), { cwd: folder }), /\.backup$/m)
  } finally {
    attempt(compose('down', '--volumes'), { cwd: folder })
    rmSync(folder, { recursive: true })
  }
}

/** Deploys the bot, and has a conversation with it. */
function talk(inside) {
  run(inside('sh', '-c', 'cat > /data/bot.cjs'), { input: readFileSync(bundle) })
  const bot = /bot_\w+/.exec(run(inside('botstead', 'deploy', '/data/bot.cjs')))[0]
  expect(run(inside('botstead', 'chat', bot), { input: 'hello\n' }), /hello/)
}

/** Returns the output. */
function attempt([program, ...args], options = {}) {
  const { stdout, stderr } = spawnSync(program, args, { cwd: clone, encoding: 'utf8', ...options })
  return stdout + stderr
}

/** Returns the output. Throws if the program fails. */
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

function shell(command, cwd) {
  return run(['sh', '-ec', command], { cwd, maxBuffer: 100_000_000 })
}
