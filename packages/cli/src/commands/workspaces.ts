// `botstead workspaces`: lists the workspaces of the account, and creates one.
import { openAdmin } from '../admin.ts'
import type { Connecting } from '../credentials.ts'

type Printing = Connecting & { json?: boolean | undefined }

interface Workspace {
  id: string
  name: string
}

interface Page {
  workspaces: Workspace[]
  meta: { nextToken?: string }
}

export async function runListWorkspaces({ json, ...options }: Printing): Promise<void> {
  const admin = openAdmin(options)
  let nextToken: string | undefined
  do {
    const query = nextToken ? `?${new URLSearchParams({ nextToken })}` : ''
    const page = await admin.ask<Page>('GET', `/v1/admin/workspaces${query}`)
    for (const workspace of page.workspaces)
      console.log(json ? JSON.stringify(workspace) : `${workspace.id}  ${workspace.name}`)
    nextToken = page.meta.nextToken
  } while (nextToken)
}

/** Prints only the id, so that a script can capture it. */
export async function runCreateWorkspace(
  name: string,
  { json, ...options }: Printing,
): Promise<void> {
  const workspace = await openAdmin(options).ask<Workspace>('POST', '/v1/admin/workspaces', {
    name,
  })
  console.log(json ? JSON.stringify(workspace) : workspace.id)
}
