// The files of deploy/ get the ports and folders of a run. Patroni's report says whether a cluster is whole.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  findLeader,
  isWhole,
  type Member,
  toEtcdSettings,
  toNodeSettings,
  toPatroniFile,
  toProxyFile,
} from './patroni-settings.ts'

const deployed = (path: string) =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8')
const nodes = [1, 2, 3].map((nth) => ({
  name: `node-${nth}`,
  port: 5000 + nth,
  apiPort: 8000 + nth,
}))

test('HAProxy listens on the port, and checks each node at its own REST API', () => {
  const file = toProxyFile(deployed('haproxy/haproxy.failover.cfg'), 6000, nodes)
  expect(file).toContain('bind 127.0.0.1:6000\n')
  const servers = [...file.matchAll(/^ +server \w+ (\S+) port (\d+)/gm)].map(
    ([, ...at]) => at,
  )
  expect(servers).toEqual([
    ['127.0.0.1:5001', '8001'],
    ['127.0.0.1:5002', '8002'],
    ['127.0.0.1:5003', '8003'],
  ])
  expect(file).not.toContain('postgres-')
})

test('rejects a file of HAProxy with another number of nodes, or another port', () => {
  const text = deployed('haproxy/haproxy.failover.cfg')
  expect(() => toProxyFile(text, 6000, nodes.slice(1))).toThrow(
    'names 3 nodes, and not 2',
  )
  expect(() =>
    toProxyFile(text.replace('bind :5432', 'bind :5433'), 6000, nodes),
  ).toThrow('nodes')
})

test("Patroni's file has the folders of the run", () => {
  const file = parse(
    toPatroniFile(deployed('patroni/patroni.yml'), '/tmp/lab', '/tmp/lab/sockets'),
  )
  expect(file.bootstrap.post_bootstrap).toBe('/tmp/lab/create-database.sh')
  expect(file.postgresql.parameters.unix_socket_directories).toBe('/tmp/lab/sockets')
  expect(() => toPatroniFile('scope: botstead', '/tmp/lab', '/tmp/lab/sockets')).toThrow(
    '/etc',
  )
})

test('the leader has two attempts to renew its lock, and its watchdog has time to act', () => {
  const { bootstrap, watchdog } = parse(deployed('patroni/patroni.yml'))
  const { ttl, loop_wait, retry_timeout } = bootstrap.dcs
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
  expect(ttl - watchdog.safety_margin).toBeGreaterThanOrEqual(2 * loop_wait)
})

test('each node and each member of etcd has its own addresses', () => {
  const passwords = { superuser: 'a', replication: 'b', api: 'c', botstead: 'd' }
  const etcd = ['127.0.0.1:1', '127.0.0.1:2']
  const setup = { folder: '/tmp/lab/node-2', programs: '/usr/bin', passwords, etcd }
  expect(toNodeSettings({ ...nodes[1]!, ...setup })).toMatchObject({
    PATRONI_NAME: 'node-2',
    PATRONI_ETCD3_HOSTS: '127.0.0.1:1,127.0.0.1:2',
    PATRONI_RESTAPI_CONNECT_ADDRESS: '127.0.0.1:8002',
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: '127.0.0.1:5002',
    PATRONI_POSTGRESQL_DATA_DIR: '/tmp/lab/node-2/data',
    POSTGRES_PASSWORD: 'd',
  })
  const members = [1, 2].map((nth) => ({
    name: `e${nth}`,
    clientPort: nth,
    peerPort: 10 + nth,
  }))
  expect(toEtcdSettings(members[0]!, members, '/tmp/lab/e1')).toMatchObject({
    ETCD_NAME: 'e1',
    ETCD_LISTEN_PEER_URLS: 'http://127.0.0.1:11',
    ETCD_INITIAL_CLUSTER: 'e1=http://127.0.0.1:11,e2=http://127.0.0.1:12',
  })
})

const whole: Member[] = [
  { name: 'node-1', role: 'leader', state: 'running', timeline: 2 },
  { name: 'node-2', role: 'sync_standby', state: 'running', timeline: 2 },
  { name: 'node-3', role: 'replica', state: 'streaming', timeline: 2 },
]
const changed = (nth: number, change: Partial<Member>) =>
  whole.map((member, at) => (at === nth ? { ...member, ...change } : member))

test('a cluster is whole with a leader, a synchronous standby, and every node on the same timeline', () => {
  expect(isWhole(whole, 3)).toBe(true)
  expect(findLeader(whole)).toBe('node-1')
  expect(isWhole(whole.slice(0, 2), 3)).toBe(false)
  expect(isWhole(changed(0, { state: 'stopped' }), 3)).toBe(false)
  expect(isWhole(changed(1, { role: 'replica' }), 3)).toBe(false)
  expect(isWhole(changed(2, { timeline: 1 }), 3)).toBe(false)
  expect(isWhole(changed(2, { state: 'creating replica' }), 3)).toBe(false)
  expect(isWhole([], 3)).toBe(false)
})
