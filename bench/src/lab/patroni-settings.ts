// Settings of Patroni's nodes, of etcd and of HAProxy, and the state of the cluster as Patroni reports it.

export interface NodeAddress {
  name: string
  port: number
  /** Port of Patroni's REST API. */
  apiPort: number
}

interface NodeSetup extends NodeAddress {
  folder: string
  /** Folder of PostgreSQL's programs. */
  programs: string
  passwords: { superuser: string; replication: string; api: string; botstead: string }
  /** Addresses of etcd. */
  etcd: string[]
}

/** Returns the variables that deploy/patroni/patroni.yml needs, and those that differ on one machine. */
export const toNodeSettings = (node: NodeSetup) => ({
  PATRONI_NAME: node.name,
  PATRONI_ETCD3_HOSTS: node.etcd.join(','),
  PATRONI_RESTAPI_LISTEN: `127.0.0.1:${node.apiPort}`,
  PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${node.apiPort}`,
  PATRONI_RESTAPI_USERNAME: 'patroni',
  PATRONI_RESTAPI_PASSWORD: node.passwords.api,
  PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${node.port}`,
  PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${node.port}`,
  PATRONI_POSTGRESQL_DATA_DIR: `${node.folder}/data`,
  PATRONI_POSTGRESQL_BIN_DIR: node.programs,
  PATRONI_POSTGRESQL_PGPASS: `${node.folder}/pgpass`,
  PATRONI_SUPERUSER_USERNAME: 'postgres',
  PATRONI_SUPERUSER_PASSWORD: node.passwords.superuser,
  PATRONI_REPLICATION_USERNAME: 'replicator',
  PATRONI_REPLICATION_PASSWORD: node.passwords.replication,
  POSTGRES_PASSWORD: node.passwords.botstead,
})

interface EtcdMember {
  name: string
  clientPort: number
  peerPort: number
}

export function toEtcdSettings(own: EtcdMember, all: EtcdMember[], data: string) {
  const client = `http://127.0.0.1:${own.clientPort}`
  const peer = (member: EtcdMember) => `http://127.0.0.1:${member.peerPort}`
  return {
    ETCD_NAME: own.name,
    ETCD_DATA_DIR: `${data}/data`,
    ETCD_LISTEN_CLIENT_URLS: client,
    ETCD_ADVERTISE_CLIENT_URLS: client,
    ETCD_LISTEN_PEER_URLS: peer(own),
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer(own),
    ETCD_INITIAL_CLUSTER: all.map((member) => `${member.name}=${peer(member)}`).join(','),
  }
}

/** Replaces the folders of deploy/patroni/patroni.yml. Throws if the file has others. */
export function toPatroniFile(text: string, folder: string, sockets: string): string {
  const installed = { '/etc/patroni': folder, '/var/run/postgresql': sockets }
  let file = text
  for (const [name, own] of Object.entries(installed)) {
    if (!file.includes(name)) throw new Error(`patroni.yml does not name ${name}`)
    file = file.replaceAll(name, own)
  }
  return file
}

/** Replaces the addresses of deploy/haproxy/haproxy.failover.cfg. Throws if the file has others. */
export function toProxyFile(text: string, port: number, nodes: NodeAddress[]): string {
  const found = text.match(/postgres-\d+:5432/g)?.length
  if (found !== nodes.length || !text.includes('bind :5432'))
    throw new Error(
      `haproxy.failover.cfg names ${found ?? 0} nodes, and not ${nodes.length}`,
    )
  return text
    .replace('bind :5432', `bind 127.0.0.1:${port}`)
    .replace(/postgres-(\d+):5432/g, (_, nth: string) => {
      const node = nodes[Number(nth) - 1]!
      return `127.0.0.1:${node.port} port ${node.apiPort}`
    })
}

/** A node, as `GET /cluster` of Patroni reports it. */
export interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
  timeline?: number
}

export const findLeader = (members: Member[]): string | null =>
  members.find(({ role, state }) => role === 'leader' && state === 'running')?.name ??
  null

/** Whether every node follows the leader, and one of them confirms commits. */
export function isWhole(members: Member[], count: number): boolean {
  const leader = members.find(({ name }) => name === findLeader(members))
  return (
    leader !== undefined &&
    members.length === count &&
    members.some(({ role }) => role === 'sync_standby') &&
    members.every(
      ({ state, timeline }) =>
        ['running', 'streaming'].includes(state) && timeline === leader.timeline,
    )
  )
}
