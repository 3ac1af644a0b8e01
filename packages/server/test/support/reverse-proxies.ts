// The reverse proxies of docs/reverse-proxy.md from Debian, with the configuration files of deploy/. Only
// addresses and paths of certificates are replaced; every other setting is the one that users get.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { findFreePort } from './nats-server.ts'

export const proxyNames = ['nginx', 'haproxy', 'caddy'] as const
export type ProxyName = (typeof proxyNames)[number]

export interface ReverseProxy {
  /** Port with TLS, for all names of `siteNames`. */
  port: number
  plainPort: number
  /** File with the certificate that its clients must trust. */
  ca: string
  close(): Promise<void>
}

export const domain = 'bots.example.org'
const siteNames = [
  'localhost',
  domain,
  ...['chat', 'webchat', 'webhook'].map((name) => `${name}.${domain}`),
]

export const findProgram = (name: ProxyName) =>
  [`/usr/sbin/${name}`, `/usr/bin/${name}`].find((path) => existsSync(path)) ?? null

interface Place {
  folder: string
  port: number
  plainPort: number
  /** Host and port of the server. */
  upstream: string
}

/** Starts a proxy in front of a server, and waits until it serves TLS. */
export const openProxy = (name: ProxyName, upstream: string): Promise<ReverseProxy> =>
  run(name, (place) => prepare[name]({ ...place, upstream }))

/** Starts HAProxy as compose.scale.yaml does: it finds the servers by DNS. */
export const openScaleProxy = ({ dns, port }: { dns: string; port: number }) =>
  run('haproxy', (place) =>
    prepareHaproxy(place, 'haproxy.scale.cfg', {
      '127.0.0.11:53': dns,
      'server:4000': `server:${port}`,
    }),
  )

interface Prepared {
  args: string[]
  ca: string
  env?: Record<string, string>
}

async function run(
  name: ProxyName,
  prepare: (place: Omit<Place, 'upstream'>) => Prepared,
): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), `botstead-${name}-`))
  const [port, plainPort] = [await findFreePort(), await findFreePort()]
  const { args, ca, env } = prepare({ folder, port, plainPort })
  const child = spawn(findProgram(name)!, args, {
    env: env ?? {},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text) => (output = `${output}${text}`.slice(-5_000)))
  const close = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const tryAll = () => Promise.all(siteNames.map((host) => tryTls(host, port, child)))
    await vi.waitFor(tryAll, { timeout: 20_000, interval: 50 })
  } catch (error) {
    await close()
    throw new Error(`${name} did not start: ${output}`, { cause: error })
  }
  return { port, plainPort, ca, close }
}

const prepare: Record<ProxyName, (place: Place) => Prepared> = {
  nginx({ folder, port, plainPort, upstream }) {
    const { certificate, key } = createCertificate(folder)
    const site = shipped('nginx/botstead.conf', {
      'listen 443': `listen 127.0.0.1:${port}`,
      'listen 80': `listen 127.0.0.1:${plainPort}`,
      '127.0.0.1:4000': upstream,
      '/etc/ssl/botstead/fullchain.pem': certificate,
      '/etc/ssl/botstead/privkey.pem': key,
    })
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const lines = [
      'daemon off;',
      `pid ${folder}/pid;`,
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'events {}',
      'http {',
      'access_log off;',
      ...folders.map((one) => `${one}_temp_path ${folder}/${one};`),
      site,
      '}',
    ]
    writeFileSync(`${folder}/nginx.conf`, lines.join('\n'))
    return { args: ['-e', 'stderr', '-c', `${folder}/nginx.conf`], ca: certificate }
  },
  haproxy: ({ upstream, ...place }) =>
    prepareHaproxy(place, 'haproxy.cfg', { '127.0.0.1:4000': upstream }),
  // Unchanged: its variables and global options suffice.
  caddy({ folder, port, plainPort, upstream }) {
    const options = [
      'admin off',
      'local_certs',
      'skip_install_trust',
      'default_bind 127.0.0.1',
      `https_port ${port}`,
      `http_port ${plainPort}`,
    ]
    const file = `{\n${options.join('\n')}\n}\nimport ${deployed('caddy/Caddyfile')}\n`
    writeFileSync(`${folder}/Caddyfile`, file)
    return {
      args: ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
      ca: `${folder}/caddy/pki/authorities/local/root.crt`,
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        BOTSTEAD_SITES: siteNames.join(', '),
        BOTSTEAD_UPSTREAM: upstream,
      },
    }
  },
}

function prepareHaproxy(
  { folder, port, plainPort }: Omit<Place, 'upstream'>,
  file: string,
  addresses: Record<string, string>,
): Prepared {
  const { certificate, key } = createCertificate(folder)
  writeFileSync(
    `${folder}/botstead.pem`,
    readFileSync(certificate) + readFileSync(key, 'utf8'),
  )
  const settings = shipped(`haproxy/${file}`, {
    'bind :443': `bind 127.0.0.1:${port}`,
    'bind :80': `bind 127.0.0.1:${plainPort}`,
    '/etc/haproxy/botstead.pem': `${folder}/botstead.pem`,
    ...addresses,
  })
  writeFileSync(`${folder}/haproxy.cfg`, settings)
  return { args: ['-db', '-f', `${folder}/haproxy.cfg`], ca: certificate }
}

const deployed = (path: string) =>
  fileURLToPath(new URL(`../../../../deploy/${path}`, import.meta.url))

/** Returns a file of deploy/ with other addresses. Each must occur. */
function shipped(path: string, replaced: Record<string, string>): string {
  let text = readFileSync(deployed(path), 'utf8')
  for (const [from, to] of Object.entries(replaced)) {
    if (!text.includes(from)) throw new Error(`deploy/${path} does not contain "${from}"`)
    text = text.replaceAll(from, to)
  }
  return text
}

function createCertificate(folder: string) {
  const [certificate, key] = [`${folder}/certificate.pem`, `${folder}/key.pem`]
  const names = siteNames.map((name) => `DNS:${name}`).join(',')
  const options = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      ...options,
      '-subj',
      `/CN=${domain}`,
      '-addext',
      `subjectAltName=${names}`,
    ].concat(['-keyout', key, '-out', certificate]),
    { stdio: 'ignore' },
  )
  return { certificate, key }
}

function tryTls(servername: string, port: number, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}`)
  return new Promise((resolve, reject) => {
    // Its certificate is checked by the tests.
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername,
      rejectUnauthorized: false,
    })
    socket.once('secureConnect', () => resolve(void socket.destroy()))
    socket.once('error', reject)
  })
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(timer)
}
