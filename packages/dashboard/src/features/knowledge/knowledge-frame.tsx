// The pages of knowledge below links to each other.
import { Box } from '@mantine/core'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'

export function KnowledgeFrame() {
  return (
    <Box h="100%" display="flex" style={{ flexDirection: 'column' }}>
      <Tabs />
      <Box flex={1} mih={0}>
        <Outlet />
      </Box>
    </Box>
  )
}

const pages = [
  { path: '', label: texts.knowledge.documents },
  { path: '/websites', label: texts.knowledge.websites.title },
  { path: '/answers', label: texts.curated.title },
  { path: '/unanswered', label: texts.unanswered.title, permission: 'data.read' },
  { path: '/search', label: texts.knowledge.search },
  { path: '/checks', label: texts.checks.title },
] as const

/** They keep the knowledge base. A file belongs to the documents, a website to the websites. */
function Tabs() {
  const { workspaceId, botId } = useBot()
  const may = useMay()
  const [base] = useFilter('base')
  const at = useLocation().pathname.replace(/^.*?\/knowledge/, '')
  const current = pages.findLast(({ path }) => at.startsWith(path))?.path
  return (
    <nav aria-label={texts.knowledge.pages} className="page-tabs">
      {pages.map((page) => {
        if ('permission' in page && !may(page.permission)) return null
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
