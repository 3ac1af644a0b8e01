// Finds the embedded PostgreSQL of the measured server by its postmaster.pid. The bare program gets
// a separate database in it, so that both have the same disk, settings and version.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'

export interface DatabaseSettings {
  host: string
  port: number
  user: string
  database: string
}

export interface Cluster {
  pid: number
  settings: DatabaseSettings
}

export async function findCluster(dataFolder: string): Promise<Cluster> {
  const cluster = join(dataFolder, 'postgres', 'cluster')
  const [pid, , , port, socket, host] = (
    await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  ).split('\n')
  // The socket folder may be relative to the cluster folder.
  return {
    pid: Number(pid),
    settings: {
      host: socket ? resolve(cluster, socket) : host!,
      port: Number(port),
      user: 'postgres',
      database: 'botstead',
    },
  }
}

export async function createDatabase(
  cluster: Cluster,
  name: string,
): Promise<DatabaseSettings> {
  await withClient({ ...cluster.settings, database: 'postgres' }, (client) =>
    client.query(`create database ${name}`),
  )
  return { ...cluster.settings, database: name }
}

export async function withClient<T>(
  settings: DatabaseSettings,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
