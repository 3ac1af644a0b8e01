// The problems of the draft in a list; each leads to its place.
import { Anchor, Modal, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { describePlace } from '../flows/places.ts'
import { useChecks } from './checks.tsx'
import type { Problem } from './problem.ts'

const t = texts.studio

interface ProblemListProps {
  open: (pointer: string) => void
  onClose: () => void
}

export function ProblemList({ open, onClose }: ProblemListProps) {
  const { problems, warnings } = useChecks()
  const follow = (pointer: string) => {
    onClose()
    open(pointer)
  }
  return (
    <Modal opened onClose={onClose} title={t.problemsTitle} size="lg">
      <Stack>
        {problems.length + warnings.length === 0 && <Text>{t.noProblems}</Text>}
        <Found title={t.problems(problems.length)} found={problems} open={follow} />
        <Found title={t.warnings(warnings.length)} found={warnings} open={follow} />
      </Stack>
    </Modal>
  )
}

interface FoundProps {
  title: string
  found: Problem[]
  open: (pointer: string) => void
}

function Found({ title, found, open }: FoundProps) {
  const { value } = useStudio()
  if (found.length === 0) return null
  return (
    <div>
      <Title order={3} size="h6">
        {title}
      </Title>
      <ul>
        {found.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`} className="foreign">
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => open(pointer)}
            >
              {describePlace(pointer, value)}
            </Anchor>{' '}
            <Text component="span" size="sm">
              {message}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  )
}
