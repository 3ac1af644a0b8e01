// Three PostgreSQL nodes under Patroni, and three members of etcd, on loopback, each with its own ports and
// folder. They run with the files of deploy/, which compose.failover.yaml uses, too.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  copyFile,
  mkdir,
  open,
  readFile,
  readlink,
  writeFile,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listDescendants, type RunningProgram, startProgram } from '../processes.ts'
import { findUser, signal } from './cluster.ts'
import { call } from './http.ts'
import {
  findLeader,
  isWhole,
  type Member,
  type NodeAddress,
  toEtcdSettings,
  toNodeSettings,
  toPatroniFile,
} from './patroni-settings.ts'
import { requirePostgres, requireProgram } from './programs.ts'
import { findFreePort } from './servers.ts'

const deployed = (name: string) =>
  fileURLToPath(new URL(`../../../deploy/patroni/${name}`, import.meta.url))

const nodeCount = 3
/** A node that was away may have to be copied again. */
const wholeMs = 120_000

interface Programs {
  patroni: string
  patronictl: string
  etcd: string
  /** Folder of PostgreSQL's programs. */
  postgres: string
}

function requirePatroni(): Programs {
  return {
    patroni: requireProgram('patroni', 'patroni'),
    patronictl: requireProgram('patronictl', 'patroni'),
    etcd: requireProgram('etcd', 'etcd-server'),
    postgres: requirePostgres(),
  }
}

interface Setup {
  programs: Programs
  folder: string
  user: ReturnType<typeof findUser>
  passwords: { superuser: string; replication: string; api: string; botstead: string }
  etcd: string[]
}

export class PatroniCluster {
  readonly #setup: Setup
  readonly #etcd: RunningProgram[] = []
  readonly nodes: PatroniNode[] = []

  private constructor(setup: Setup) {
    this.#setup = setup
  }

  /** Starts etcd and the nodes, and waits until a standby confirms commits. */
  static async open(folder: string): Promise<PatroniCluster> {
    const programs = requirePatroni()
    const secret = () => randomBytes(16).toString('hex')
    const passwords = {
      superuser: secret(),
      replication: secret(),
      api: secret(),
      botstead: secret(),
    }
    const cluster = new PatroniCluster({
      programs,
      folder,
      user: findUser(),
      passwords,
      etcd: [],
    })
    try {
      await cluster.#copyFiles()
      await cluster.#startEtcd()
      await cluster.#startNodes()
      return cluster
    } catch (error) {
      await cluster.close()
      throw error
    }
  }

  /** The URL of Botstead's database behind a proxy. */
  url(port: number) {
    return `postgres://botstead:${this.#setup.passwords.botstead}@127.0.0.1:${port}/botstead`
  }

  /** Returns the node with a role. Throws if there is none. */
  async find(role: Member['role']): Promise<PatroniNode> {
    const name = (await this.#members()).find((one) => one.role === role)?.name
    const node = this.nodes.find((one) => one.name === name)
    if (!node) throw new Error(`No node of the cluster is its ${role}`)
    return node
  }

  /** Waits until another node is the leader. */
  async waitForLeaderOtherThan(node: PatroniNode) {
    await waitUntil(`a leader other than ${node.name}`, async () => {
      const leader = findLeader(await this.#members(node))
      return leader !== null && leader !== node.name
    })
  }

  /** Waits until every node follows the leader, and one of them confirms commits. */
  async waitUntilWhole() {
    await waitUntil('a cluster with every node', async () =>
      isWhole(await this.#members(), nodeCount),
    )
  }

  /** Makes the synchronous standby the leader. */
  async switchOver() {
    const [from, to] = [await this.find('leader'), await this.find('sync_standby')]
    const { programs, user, folder } = this.#setup
    const names = ['--leader', from.name, '--candidate', to.name]
    const args = [
      '-c',
      join(folder, 'patroni.yml'),
      'switchover',
      'botstead',
      ...names,
      '--force',
    ]
    await promisify(execFile)(programs.patronictl, args, {
      ...user,
      env: from.env,
      cwd: '/',
    })
  }

  async close() {
    await Promise.all(this.nodes.map((node) => node.close()))
    await Promise.all(this.#etcd.map((member) => member.stop()))
  }

  /** Asks any node but one that may be paused. Empty while none responds. */
  async #members(except?: PatroniNode): Promise<Member[]> {
    for (const node of this.nodes.filter((one) => one !== except)) {
      const url = `http://127.0.0.1:${node.apiPort}/cluster`
      const { body } = await call<{ members: Member[] }>('GET', url, {}, undefined, 2_000)
      if (body) return body.members
    }
    return []
  }

  async #copyFiles() {
    const { folder, user } = this.#setup
    const sockets = await makeFolder(join(folder, 'sockets'), user)
    // The user of PostgreSQL may not be allowed to read the clone.
    const text = await readFile(deployed('patroni.yml'), 'utf8')
    await writeFile(join(folder, 'patroni.yml'), toPatroniFile(text, folder, sockets))
    const script = deployed('create-database.sh')
    await copyFile(script, join(folder, basename(script)))
  }

  async #startEtcd() {
    const { programs, folder, user, etcd } = this.#setup
    const ports = await findPorts(2 * nodeCount)
    const members = Array.from({ length: nodeCount }, (_, nth) => ({
      name: `etcd-${nth + 1}`,
      clientPort: ports[2 * nth]!,
      peerPort: ports[2 * nth + 1]!,
    }))
    etcd.push(...members.map(({ clientPort }) => `127.0.0.1:${clientPort}`))
    for (const member of members) {
      const data = await makeFolder(join(folder, member.name), user)
      const env = toEtcdSettings(member, members, data)
      const options = { program: programs.etcd, user, env, log: `${data}.log` }
      this.#etcd.push(await startLogged(member.name, [], options))
    }
    const url = `http://${etcd[0]}/health`
    await waitUntil('etcd', async () => (await call('GET', url)).status === 200)
  }

  async #startNodes() {
    const { programs, folder, user, passwords, etcd } = this.#setup
    const ports = await findPorts(2 * nodeCount)
    for (let nth = 0; nth < nodeCount; nth++) {
      const name = `node-${nth + 1}`
      const address = { name, port: ports[2 * nth]!, apiPort: ports[2 * nth + 1]! }
      const own = await makeFolder(join(folder, name), user)
      const env = {
        PATH: `${programs.postgres}:/usr/bin:/bin`,
        ...toNodeSettings({
          ...address,
          folder: own,
          programs: programs.postgres,
          passwords,
          etcd,
        }),
      }
      const node = new PatroniNode(address, folder, {
        program: programs.patroni,
        user,
        env,
      })
      this.nodes.push(node)
      await node.start()
      // The first node creates the cluster; the others copy it.
      if (nth === 0)
        await waitUntil('a leader', async () => !!findLeader(await this.#members()))
    }
    await this.waitUntilWhole()
  }
}

interface Launch {
  program: string
  user: Setup['user']
  env: NodeJS.ProcessEnv
}

export class PatroniNode {
  readonly name: string
  readonly port: number
  readonly apiPort: number
  readonly #folder: string
  readonly #file: string
  readonly #launch: Launch
  #patroni: RunningProgram | null = null
  #paused: number[] = []

  /** The folder contains Patroni's file, and the node's own folder. */
  constructor({ name, port, apiPort }: NodeAddress, folder: string, launch: Launch) {
    this.name = name
    this.port = port
    this.apiPort = apiPort
    this.#folder = join(folder, name)
    this.#file = join(folder, 'patroni.yml')
    this.#launch = launch
  }

  get isRunning() {
    return this.#patroni !== null
  }

  get env() {
    return this.#launch.env
  }

  /** Starts Patroni, which starts PostgreSQL. */
  async start() {
    const options = { ...this.#launch, log: `${this.#folder}.log` }
    this.#patroni = await startLogged(this.name, [this.#file], options)
  }

  /** Ends Patroni at once, and leaves PostgreSQL running. */
  async killPatroni() {
    const { child } = this.#patroni!
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
    this.#patroni = null
  }

  /** Ends every process of PostgreSQL at once. */
  async killPostgres() {
    for (const pid of await this.#listPostgres()) signal(pid, 'SIGKILL')
  }

  /** Ends all processes at once, like a machine that loses power. */
  async kill() {
    const postgres = await this.#listPostgres()
    const patroni = this.killPatroni()
    for (const pid of postgres) signal(pid, 'SIGKILL')
    await patroni
  }

  /** Stops all processes, like a virtual machine that is moved. */
  async pause() {
    this.#paused = [this.#patroni!.pid, ...(await this.#listPostgres())]
    for (const pid of this.#paused) signal(pid, 'SIGSTOP')
  }

  resume() {
    for (const pid of this.#paused) signal(pid, 'SIGCONT')
    this.#paused = []
  }

  async close() {
    this.resume()
    await this.#patroni?.stop()
    for (const pid of await this.#listPostgres()) signal(pid, 'SIGKILL')
  }

  /** Returns the processes of PostgreSQL. Patroni is not their parent. */
  async #listPostgres(): Promise<number[]> {
    const data = join(this.#folder, 'data')
    const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
    const pid = Number(text.split('\n')[0])
    // After a kill, the file remains, and its number may belong to another program.
    const cwd = pid > 0 && (await readlink(`/proc/${pid}/cwd`).catch(() => null))
    return cwd === data ? [pid, ...listDescendants(pid)] : []
  }
}

async function startLogged(
  name: string,
  args: string[],
  { log, ...launch }: Launch & { log: string },
) {
  const file = await open(log, 'a')
  const { user, ...rest } = launch
  const options = {
    ...rest,
    ...(user && { user }),
    cwd: '/',
    readyLine: false,
    stderr: file.fd,
  }
  const started = await startProgram(name, args, options).finally(() => file.close())
  started.child.stdout!.resume()
  return started
}

async function makeFolder(folder: string, user: Setup['user']): Promise<string> {
  await mkdir(folder, { mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
  return folder
}

async function findPorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await findFreePort())
  return [...ports]
}

async function waitUntil(name: string, holds: () => Promise<boolean>) {
  for (
    const until = performance.now() + wholeMs;
    performance.now() < until;
    await pause(100)
  )
    if (await holds()) return
  throw new Error(`Waited ${wholeMs / 1000} s for ${name}`)
}
