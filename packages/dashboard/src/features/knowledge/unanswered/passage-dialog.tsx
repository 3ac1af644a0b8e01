// The best passage of a question, in full.
import type { ExplainedPassage } from '@botstead/contract'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { FileLink } from '../../../parts/objects/object-links.tsx'
import { LongText } from '../../../parts/texts/long-text.tsx'
import { texts } from '../../../texts/texts.ts'
import { toName } from '../bases.ts'

const t = texts.unanswered

interface PassageDialogProps {
  passage: ExplainedPassage
  score: string
  /** Undefined for members who may not write answers. */
  onUse: ((text: string) => void) | undefined
  onClose: () => void
}

export const PassageDialog = ({ passage, score, onUse, onClose }: PassageDialogProps) => (
  <Modal opened onClose={onClose} title={t.readTitle} size="lg">
    <Stack>
      <Group gap="xs">
        <FileLink id={passage.fileId}>{toName(passage.fileKey)}</FileLink>
        <Text size="xs" c="dimmed">
          {score}
        </Text>
      </Group>
      <LongText text={passage.content} />
      {onUse && (
        <Group justify="flex-end">
          <Button
            onClick={() => {
              onClose()
              onUse(passage.content)
            }}
          >
            {t.usePassage}
          </Button>
        </Group>
      )}
    </Stack>
  </Modal>
)
