// `botstead workspaces`: lists the workspaces of the account, and creates one.
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'
import { itemsOf } from '../server-client.ts'

type Printing = Connecting & { json?: boolean | undefined }

export async function runListWorkspaces({ json, ...options }: Printing): Promise<void> {
  const { client } = openAdmin(options)
  const workspaces = itemsOf(async (query) => {
    const { workspaces, meta } = await client.admin.listWorkspaces({ query })
    return { items: workspaces, ...meta }
  })
  for await (const workspace of workspaces)
    console.log(json ? JSON.stringify(workspace) : `${workspace.id}  ${workspace.name}`)
}

/** Prints only the id, so that a script can capture it. */
export async function runCreateWorkspace(
  name: string,
  { json, ...options }: Printing,
): Promise<void> {
  const workspace = await openAdmin(options).client.admin.createWorkspace({ body: { name } })
  console.log(json ? JSON.stringify(workspace) : workspace.id)
}
