// Names of packages begin with the handle of their workspace, except in the first workspace.
import { type Client, RequestError } from '@botstead/client'
import type { BuiltPackages } from './built-packages.ts'

const firstWorkspaceId = '11111111-1111-1111-aaaa-111111111111'

/** Returns the packages with the names that they have in the workspace. Interfaces of the hub keep theirs. */
export async function nameForWorkspace(
  client: Client,
  workspaceId: string,
  { interfaces, integrations }: BuiltPackages,
): Promise<BuiltPackages> {
  if (workspaceId === firstWorkspaceId) return { interfaces, integrations }
  const { handle } = await client.admin.getWorkspace({ params: { id: workspaceId } })
  // The server rejects the names, and names the remedy.
  if (!handle) return { interfaces, integrations }
  const rename = (name: string) => `${handle}/${name.slice(name.indexOf('/') + 1)}`
  const names = new Map<string, string>()
  for (const { name, version } of interfaces)
    if (!(await isInHub(client, name, version)))
      names.set(`${name}@${version}`, rename(name))
  const named = <One extends { name: string; version: string }>(one: One): One => ({
    ...one,
    name: names.get(`${one.name}@${one.version}`) ?? one.name,
  })
  return {
    interfaces: interfaces.map(named),
    integrations: integrations.map((one) => ({
      ...one,
      name: rename(one.name),
      interfaces: Object.fromEntries(
        Object.entries(one.interfaces ?? {}).map(([key, statement]) => [
          key,
          named(statement),
        ]),
      ),
    })),
  }
}

async function isInHub(
  { admin }: Client,
  name: string,
  version: string,
): Promise<boolean> {
  try {
    await admin.getPublicInterface({ params: { name, version } })
    return true
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return false
    throw error
  }
}
