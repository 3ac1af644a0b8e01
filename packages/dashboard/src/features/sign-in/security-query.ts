import { queryOptions } from '@tanstack/react-query'
import { clientFor } from '../../api/client.ts'

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => clientFor().platform.getSecurity({}, { signal }),
})
