import { Anchor } from '@mantine/core'

/** Opens the page in a new tab. Tags may contain anything, so other schemes are shown as text. */
export const WebLink = ({ url }: { url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      size="sm"
      className="foreign"
      style={{ overflowWrap: 'anywhere' }}
    >
      {url}
    </Anchor>
  ) : (
    <span>{url}</span>
  )
