// A link to the documentation, which the server serves at /docs.
import { Anchor } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

interface DocsLinkProps {
  /** Name of the page, with the heading: `files-and-knowledge#embeddings`. */
  page: string
  children?: string
}

export const DocsLink = ({
  page,
  children = texts.common.documentation,
}: DocsLinkProps) => (
  <Anchor href={`/docs/${page}`} target="_blank" size="sm">
    {children}
  </Anchor>
)
