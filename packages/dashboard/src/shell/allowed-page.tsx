// The page of the address, if the role may open it. Otherwise the server gets no request for it.
import { Navigate, Outlet, useMatches, useParams } from '@tanstack/react-router'
import { useMay, useMembership } from '../api/session.ts'
import { Page } from '../parts/page.tsx'
import { Empty } from '../parts/states.tsx'
import { texts } from '../texts/texts.ts'
import { findPage } from './pages.ts'

/** The path of the page that `Outlet` shows. The location is ahead of it while a page loads. */
export const usePagePath = () =>
  useMatches({ select: (matches) => matches.at(-1)!.pathname.replace(/\/$/, '') })

export function AllowedPage() {
  const may = useMay()
  const path = usePagePath()
  const { workspaceId = '', botId = '' } = useParams({ strict: false })
  const page = findPage(path, workspaceId, botId)
  if (!page || may(page.permission)) return <Outlet />
  if (page.page === 'overview' && may('conversations.read'))
    return (
      <Navigate
        to="/w/$workspaceId/bots/$botId/inbox"
        params={{ workspaceId, botId }}
        replace
      />
    )
  return <Forbidden key={page.page} title={texts.shell.nav[page.page]} />
}

/** Explains that the role does not include the page. */
export function Forbidden({ title }: { title: string }) {
  const { role } = useMembership() ?? {}
  return (
    <Page title={title}>
      <div role="alert">
        <Empty
          title={texts.common.errors.forbidden}
          hint={role && texts.shell.forbiddenHint(texts.members.roles[role])}
        />
      </div>
    </Page>
  )
}
