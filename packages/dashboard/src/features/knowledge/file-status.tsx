// The state of a file, with the reason of a failure.
import type { File } from '@botstead/contract'
import { Badge, Stack, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

export const statuses = Object.keys(texts.knowledge.statuses) as File['status'][]
export const isFailed = (status: File['status']) => status.endsWith('_failed')

export const FileStatus = ({
  file,
}: {
  file: Pick<File, 'status' | 'failedStatusReason'>
}) => (
  <Stack gap={2} align="flex-start">
    <Badge
      {...(isFailed(file.status)
        ? { color: 'red.8' }
        : { variant: file.status === 'indexing_completed' ? 'light' : 'default' })}
    >
      {texts.knowledge.statuses[file.status]}
    </Badge>
    {file.failedStatusReason && (
      <Text size="xs" className="foreign" lineClamp={2} title={file.failedStatusReason}>
        {file.failedStatusReason}
      </Text>
    )}
  </Stack>
)
