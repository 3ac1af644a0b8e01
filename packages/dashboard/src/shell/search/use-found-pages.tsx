// The pages of the current bot and its workspace, by words of their name or group, or of their address, which
// is English.
import { useParams } from '@tanstack/react-router'
import { useMay } from '../../api/session.ts'
import { IconBook, IconUser } from '../../icons/icons.tsx'
import { plain } from '../../parts/messages/marked-text.tsx'
import { language } from '../../texts/in-language.ts'
import { texts } from '../../texts/texts.ts'
import { type PageEntry, toAddress, usePermittedPages } from '../pages.ts'
import type { Result, ResultGroup } from './result-list.tsx'

const t = texts.search

type Open = (address: string) => void

interface NamedPage {
  label: string
  hint: string
  /** Below the bot or the workspace. */
  path: string
  address: string
  icon: Result['icon']
}

export function useFoundPages(text: string, open: Open): { groups: ResultGroup[] } {
  const pages = useNamedPages()
  const words = plain(text).split(/\s+/).filter(Boolean)
  const results = pages
    .filter(({ label, hint, path }) => {
      const names = plain(`${label} ${hint} ${path}`).split(/[ /-]/)
      return words.every((word) => names.some((name) => hasWord(name, word)))
    })
    .map(({ address, path: _, ...page }) => ({
      ...page,
      key: address,
      open: () => open(address),
    }))
  return { groups: results.length > 0 ? [{ title: t.pages, results }] : [] }
}

/** German joins words, and Japanese has no spaces between them. */
const hasWord = (name: string, word: string) =>
  language === 'en' ? name.startsWith(word) : name.includes(word)

function useNamedPages(): NamedPage[] {
  const { workspaceId = '', botId } = useParams({ strict: false })
  const { groups, ofWorkspace } = usePermittedPages()
  const may = useMay()
  const toPage = (entry: PageEntry, hint: string, bot?: string): NamedPage => ({
    label: texts.shell.nav[entry.page],
    hint,
    path: entry.path,
    address: toAddress(entry, workspaceId, bot),
    icon: <entry.icon size={18} aria-hidden="true" />,
  })
  const ofBot = groups.flatMap(({ title, entries }) =>
    entries.map((entry) => toPage(entry, title, botId)),
  )
  const ofKnowledge = knowledgePages
    .filter(({ permission }) => may(permission))
    .map(({ path, label }) => ({
      label,
      hint: texts.shell.nav.knowledge,
      path,
      address: toAddress({ path: `knowledge/${path}` }, workspaceId, botId),
      icon: <IconBook size={18} aria-hidden="true" />,
    }))
  return [
    ...(botId ? [...ofBot, ...ofKnowledge] : []),
    ...ofWorkspace.map((entry) => toPage(entry, t.workspace)),
    {
      label: texts.shell.account,
      hint: '',
      path: 'account',
      address: '/account',
      icon: <IconUser size={18} aria-hidden="true" />,
    },
  ]
}

/** Below the page of the documents, which the navigation names. */
const knowledgePages = [
  { path: 'websites', label: t.knowledge.websites, permission: 'files.read' },
  { path: 'answers', label: t.knowledge.answers, permission: 'files.read' },
  { path: 'unanswered', label: t.knowledge.unanswered, permission: 'data.read' },
  { path: 'search', label: t.knowledge.search, permission: 'files.read' },
  { path: 'checks', label: t.knowledge.checks, permission: 'files.read' },
] as const
