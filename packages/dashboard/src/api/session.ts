// The session: the account, its workspaces, and whether it expired while a page was open.
import type { Output, Permission, platform } from '@botstead/contract'
import { onlineManager, queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { clientFor } from './client.ts'

export type Session = Output<typeof platform.sessions.getSession>
type Membership = Session['workspaces'][number]

/** The ways to sign in, and whether this browser is signed in. */
export const signInQuery = queryOptions({
  queryKey: ['sign-in'],
  // Also while the queries of pages pause.
  networkMode: 'always',
  queryFn: ({ signal }) => clientFor().platform.getSignIn({}, { signal }),
})

/** Null when signed out: then the session itself is not requested, which would fail. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, signal }): Promise<Session | null> => {
    if (!client.getQueryData<Session | null>(['session']))
      return (await client.fetchQuery({ ...signInQuery, staleTime: 0 })).session
    return clientFor().platform.getSession({}, { signal })
  },
  staleTime: 60_000,
})

let isExpired = false
const listeners = new Set<() => void>()
/** While the session is expired, queries pause: the server would reject them. */
function setExpired(value: boolean) {
  isExpired = value
  onlineManager.setOnline(!value)
  for (const each of [...listeners]) each()
}
function listen(changed: () => void) {
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
  }
}

/** Signing in in one tab is enough for all. */
const otherTabs = new BroadcastChannel('botstead-session')
otherTabs.onmessage = () => setExpired(false)

export const sessionExpired = () => setExpired(true)
export function sessionRenewed() {
  setExpired(false)
  otherTabs.postMessage('renewed')
}

/** Whether a request of this page got 401. The page stays, so that forms keep their input. */
export const useSessionExpired = () => useSyncExternalStore(listen, () => isExpired)

/** Resolves at once unless the session is expired. */
export const whenSignedIn = () =>
  new Promise<void>((resolve) => {
    const check = () => {
      if (isExpired) return
      stop()
      resolve()
    }
    const stop = listen(check)
    check()
  })

/** Returns the membership in the workspace of the current page, if there is one. */
export function useMembership(): Membership | undefined {
  const { workspaceId } = useParams({ strict: false })
  const { data } = useQuery(sessionQuery)
  return data?.workspaces.find(({ id }) => id === workspaceId)
}

/** Returns whether the account operates the installation. */
export const useIsOperator = () => useQuery(sessionQuery).data?.isOperator ?? false

/** Returns whether the role in this workspace includes the permission. */
export function useMay(): (permission: Permission) => boolean {
  const membership = useMembership()
  return (permission) => membership?.permissions.includes(permission) ?? false
}
