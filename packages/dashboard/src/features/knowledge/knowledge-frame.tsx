// The pages of knowledge below links to each other.
import type { Permission } from '@botstead/contract'
import { Box } from '@mantine/core'
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Forbidden, usePagePath } from '../../shell/allowed-page.tsx'
import { texts } from '../../texts/texts.ts'

export function KnowledgeFrame() {
  return (
    <Box h="100%" display="flex" style={{ flexDirection: 'column' }}>
      <Tabs />
      <Box flex={1} mih={0}>
        <AllowedTab />
      </Box>
    </Box>
  )
}

interface Tab {
  path: string
  label: string
  permission: Permission
}

const answers: Tab = {
  path: '/answers',
  label: texts.curated.title,
  permission: 'answers.read',
}
const pages: Tab[] = [
  { path: '', label: texts.knowledge.documents, permission: 'knowledge.read' },
  {
    path: '/websites',
    label: texts.knowledge.websites.title,
    permission: 'knowledge.read',
  },
  answers,
  { path: '/unanswered', label: texts.unanswered.title, permission: 'knowledge.read' },
  { path: '/search', label: texts.knowledge.search, permission: 'knowledge.read' },
  { path: '/checks', label: texts.checks.title, permission: 'knowledge.read' },
]

/** The part of the path below the pages of knowledge. */
const toTabPath = (path: string) => path.replace(/^.*?\/knowledge/, '')

function AllowedTab() {
  const { workspaceId, botId } = useBot()
  const may = useMay()
  const at = toTabPath(usePagePath())
  const page = pages.findLast(({ path }) => at.startsWith(path))!
  if (may(page.permission)) return <Outlet />
  if (at === '')
    return (
      <Navigate
        to="/w/$workspaceId/bots/$botId/knowledge/answers"
        params={{ workspaceId, botId }}
        replace
      />
    )
  return <Forbidden key={page.path} title={page.label} />
}

/** They keep the knowledge base. A file belongs to the documents, a website to the websites. */
function Tabs() {
  const { workspaceId, botId } = useBot()
  const may = useMay()
  const [base] = useFilter('base')
  const at = toTabPath(useLocation().pathname)
  const current = pages.findLast(({ path }) => at.startsWith(path))?.path
  return (
    <nav aria-label={texts.knowledge.pages} className="page-tabs">
      {pages.map((page) => {
        if (!may(page.permission)) return null
        return (
          <Link
            key={page.path}
            to={`/w/$workspaceId/bots/$botId/knowledge${page.path}` as '/'}
            params={{ workspaceId, botId } as never}
            search={base ? ({ base } as never) : {}}
            activeOptions={{ exact: true, includeSearch: false }}
            {...(page.path === current && { 'aria-current': 'page' as const })}
          >
            {page.label}
          </Link>
        )
      })}
    </nav>
  )
}
