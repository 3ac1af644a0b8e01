// The progress of an import, with its failed files.
import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { useBot } from '../../api/scope.ts'
import { texts } from '../../texts/texts.ts'
import { closeImport, type FolderImport, type ImportState, useImport } from './import.ts'

const t = texts.knowledge.upload

/** Failed files that are listed. */
const maxListed = 20

export function ImportProgress() {
  const { botId } = useBot()
  const running = useImport(botId)
  if (!running) return null
  const { state } = running
  const done = state.uploaded + state.skipped + state.failed.length
  return (
    <Paper component="section" className="panel" p="sm" aria-label={t.title}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600} role="status">
            {state.isRunning ? t.running(done, state.total) : t.done(state.uploaded)}
            {state.replaced > 0 && ` · ${t.replaced(state.replaced)}`}
            {state.skipped > 0 && ` · ${t.skipped(state.skipped)}`}
            {state.failed.length > 0 && ` · ${t.failed(state.failed.length)}`}
          </Text>
          <Buttons running={running} onClose={() => closeImport(botId)} />
        </Group>
        {state.isRunning && (
          <Progress
            value={(100 * done) / Math.max(state.total, 1)}
            aria-label={t.progress}
            animated={!state.isWaiting}
          />
        )}
        {state.isWaiting && <Text size="sm">{t.waiting}</Text>}
        {running.isStopped && <Text size="sm">{t.resume}</Text>}
        <Sending current={state.current} />
        <FailedFiles failed={state.failed} />
      </Stack>
    </Paper>
  )
}

function Buttons({ running, onClose }: { running: FolderImport; onClose: () => void }) {
  const { isRunning, failed } = running.state
  if (isRunning)
    return (
      <Button size="compact-sm" variant="default" onClick={() => running.stop()}>
        {t.stop}
      </Button>
    )
  return (
    <Group gap="xs">
      {failed.length > 0 && !running.isStopped && (
        <Button size="compact-sm" variant="default" onClick={() => running.retry()}>
          {t.retry}
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={onClose}>
        {t.close}
      </Button>
    </Group>
  )
}

/** Small files come and go too fast to read. */
const Sending = ({ current }: Pick<ImportState, 'current'>) =>
  current
    .filter(({ sent }) => sent > 0 && sent < 1)
    .map(({ path, sent }) => (
      <Group key={path} gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" className="foreign one-line" flex={1}>
          {path}
        </Text>
        <Progress value={100 * sent} w={120} size="sm" aria-label={t.progressOf(path)} />
      </Group>
    ))

const FailedFiles = ({ failed }: Pick<ImportState, 'failed'>) =>
  failed.length > 0 && (
    <ul className="problems">
      {failed.slice(0, maxListed).map(({ imported: { path }, reason }) => (
        <Text key={path} component="li" size="sm" className="foreign">
          {texts.common.labelled(path, reason)}
        </Text>
      ))}
      {failed.length > maxListed && (
        <Text component="li" size="sm">
          {t.more(failed.length - maxListed)}
        </Text>
      )}
    </ul>
  )
