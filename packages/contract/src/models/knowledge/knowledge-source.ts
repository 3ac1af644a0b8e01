import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

export const SourceType = T.Enum(['page', 'sitemap'])
export const SourceSchedule = T.Enum(['off', 'daily', 'weekly', 'monthly'])

/** A website with pages that are files of a knowledge base. @component */
export const KnowledgeSource = closed({
  id: T.String(),
  knowledgeBaseId: T.String(),
  /** `sitemap`: `url` is a sitemap or an index of sitemaps. */
  type: SourceType,
  url: T.String(),
  schedule: SourceSchedule,
  /** Further pages of a sitemap are left out. */
  maxPages: T.Integer(),
  /** `pending`: the refresh has not begun. `failed`: the source could not be read. */
  status: T.Enum(['pending', 'fetching', 'completed', 'failed']),
  /** Why it could not be read, or which parts were left out. */
  problem: T.Optional(T.String()),
  /** Of the current or last refresh. `failed`: pages that were not read. */
  pages: closed({ total: T.Integer(), done: T.Integer(), failed: T.Integer() }),
  createdAt: Timestamp,
  /** End of the last refresh. */
  refreshedAt: T.Optional(Timestamp),
  nextRefreshAt: T.Optional(Timestamp),
})
export type KnowledgeSource = Static<typeof KnowledgeSource>

/**
 * `blocked`: by robots.txt. `gone`: the website responded with 404 or 410. `failed`: the earlier
 * content stays.
 */
export const PageStatus = T.Enum([
  'pending',
  'fetched',
  'unchanged',
  'blocked',
  'failed',
  'gone',
])

/** @component */
export const KnowledgePage = closed({
  url: T.String(),
  status: PageStatus,
  reason: T.Optional(T.String()),
  /** The file with the content of the page. */
  fileId: T.Optional(T.String()),
  checkedAt: T.Optional(Timestamp),
})
export type KnowledgePage = Static<typeof KnowledgePage>
