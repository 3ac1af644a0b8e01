// Reads the next page of a short list, which does not scroll by itself.
import { Button, type ButtonProps } from '@mantine/core'

interface PagedQuery {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

interface MoreButtonProps {
  query: PagedQuery
  label: string
  size?: ButtonProps['size']
}

/** Renders nothing after the last page. */
export const MoreButton = ({ query, label, size = 'sm' }: MoreButtonProps) =>
  query.hasNextPage && (
    <Button
      size={size}
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {label}
    </Button>
  )
