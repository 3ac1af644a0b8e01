// The routes that others are in: of the application, of a workspace and of a bot.
import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { Filters } from '../api/filters.ts'
import { queryClient } from '../api/queries.ts'
import { sessionQuery } from '../api/session.ts'
import { Root } from '../shell/root.tsx'

const validateSearch = (search: Record<string, unknown>): Filters =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toText(value)]],
    ),
  )

/** The router has parsed texts that are JSON. */
const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Loads the session beside the file of a page. The page itself reports a failure. */
export function preloadSession() {
  void queryClient.prefetchQuery(sessionQuery)
}

export const root = createRootRoute({ component: Root, validateSearch })

export const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  loader: preloadSession,
  component: lazyRouteComponent(
    () => import('../shell/workspace-frame.tsx'),
    'WorkspaceFrame',
  ),
})

export const bot = createRoute({ getParentRoute: () => workspace, path: '/bots/$botId' })
