// Packages of a tenant (an integration, interfaces, plugins) and public packages in the hub.
import { sql } from 'kysely'
import { emptyInterface } from '../../src/core/catalog/interfaces/definition.ts'
import { emptyPlugin } from '../../src/core/catalog/plugins/definition.ts'
import { newId } from '../../src/core/lib/ids.ts'
import { telegram } from './messaging-rows.ts'
import type { Scene } from './scene.ts'
import type { Headers, Tenant, TenantCall } from './tenants.ts'

/**
 * Creates a private integration of this workspace. It has no code, so deliveries to it fail
 * silently.
 */
export async function makeIntegration(
  { app }: Scene,
  { workspaceId, mark }: { workspaceId: string; mark: string },
): Promise<string> {
  const id = newId('integration')
  const definition = JSON.stringify({ ...telegram, title: mark, description: mark })
  await sql`
    insert into integration (id, workspace_id, name, version, url, definition)
    values (${id}, ${workspaceId}, ${`telegram-${mark}`}, '1.0.0', 'http://127.0.0.1:9/',
      ${definition}::jsonb)`.execute(app.services.db)
  return id
}

type Packages = Pick<
  Tenant['things'],
  'interface' | 'interfaceName' | 'plugin' | 'pluginName'
>
/** Creates private packages; the first plugin depends on the first interface. */
export async function makePackages(
  call: TenantCall,
  admin: Headers,
  { mark, named }: { mark: string; named: string },
): Promise<Packages> {
  const said = {
    version: '1.0.0',
    title: mark,
    description: mark,
    readme: Buffer.from(mark).toString('base64'),
  }
  const interfaces = []
  for (const nth of [1, 2])
    interfaces.push(
      (
        await call('POST', '/v1/admin/interfaces', admin, {
          ...said,
          name: `${named}/interface-${nth}`,
        })
      ).interface,
    )
  const plugins = []
  for (const nth of [1, 2]) {
    const dependencies =
      nth === 1 ? { interfaces: { used: { id: interfaces[0].id } } } : {}
    const code = { node: mark, browser: mark }
    plugins.push(
      (
        await call('POST', '/v1/admin/plugins', admin, {
          ...said,
          name: `${named}/plugin-${nth}`,
          code,
          dependencies,
        })
      ).plugin,
    )
  }
  const ids = (all: { id: string }[]) => all.map(({ id }) => id)
  const names = (all: { name: string }[]) => all.map(({ name }) => name)
  return {
    interface: ids(interfaces),
    interfaceName: names(interfaces),
    plugin: ids(plugins),
    pluginName: names(plugins),
  }
}

/** Creates public packages of the server's owner in the hub. */
export const shared = {
  interface: 'ifver_01J000000000000000000SHARED',
  plugin: 'plugver_01J000000000000000000SHARED',
  name: 'shared',
}
export async function shareInHub({ app, workspaceId }: Scene) {
  const { db } = app.services
  for (const kind of ['interface', 'plugin'] as const) {
    const id = shared[kind]
    const definition = JSON.stringify(kind === 'plugin' ? emptyPlugin : emptyInterface)
    await sql`
      with line as (
        insert into package_line (id, kind, workspace_id, name)
        values (${id}, ${kind}, ${workspaceId}, ${shared.name}) on conflict do nothing returning id
      )
      insert into ${sql.table(kind)} (id, workspace_id, line_id, name, version, rank, visibility, definition)
      select one.id, ${workspaceId}, line.id, ${shared.name}, one.version, '', 'public', ${definition}::jsonb
      from line, (values (${id}, '1.0.0'), (${newId(kind)}, '0.1.0')) one (id, version)`.execute(
      db,
    )
  }
  await sql`
    insert into plugin_code (plugin_id, platform, code)
    values (${shared.plugin}, 'node', '') on conflict do nothing`.execute(db)
}
