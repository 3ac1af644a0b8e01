// The pages of the dashboard, as its router names them, with an address of each. A page without an
// address here fails the tests of all pages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../../../dashboard/src/', import.meta.url))
const routers = [
  'router.tsx',
  ...readdirSync(join(sources, 'routes')).map((name) => join('routes', name)),
]

/** Returns the path of each route with a page: `/w/$workspaceId/bots`. */
export function pagePaths(): string[] {
  const source = routers
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .join('\n')
  const routes = new Map<string, { parent: string; path: string }>([
    ['root', { parent: '', path: '' }],
  ])
  const form =
    /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)'/g
  for (const [, name, parent, path] of source.matchAll(form))
    routes.set(name!, { parent: parent!, path: path! })
  const toPath = (name: string): string => {
    if (name === '') return ''
    const route = routes.get(name)
    if (!route) throw new Error(`No file of the router defines the route ${name}`)
    return `${toPath(route.parent)}/${route.path}`
  }
  const parents = new Set([...routes.values()].map(({ parent }) => parent))
  return [...routes.keys()]
    .filter((name) => !parents.has(name))
    .map((name) =>
      toPath(name)
        .replaceAll(/\/+/g, '/')
        .replace(/(?<=.)\/$/, ''),
    )
}

/** Values of the parameters of paths. */
export interface PageIds {
  workspaceId: string
  botId: string
  conversationId: string
  userId: string
  handoffId: string
  broadcastId: string
  alias: string
  channelName: string
  fileId: string
  tableId: string
  sourceId: string
}

/** Pages that need no session, and addresses that lead to another page. */
export const publicPages = ['/sign-in', '/invitation']
const redirections = ['/', '/w/$workspaceId']

/** Returns the addresses of the pages for members. Throws for a path with an unknown parameter. */
export function pageAddresses(ids: PageIds): string[] {
  return pagePaths()
    .filter((path) => !publicPages.includes(path) && !redirections.includes(path))
    .map((path) =>
      path.replaceAll(/\$(\w+)/g, (_, name: string) => {
        const value = ids[name as keyof PageIds]
        if (value === undefined)
          throw new Error(`Add a value of ${name} in ${path} to PageIds`)
        return value
      }),
    )
}
