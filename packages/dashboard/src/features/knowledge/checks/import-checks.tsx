// The dialog that imports checks from a file, in the format of `botstead test`.
import { Text } from '@mantine/core'
import { useBot } from '../../../api/scope.ts'
import { ImportDialog } from '../../../parts/forms/import-dialog.tsx'
import { texts } from '../../../texts/texts.ts'
import { addMissingChecks, readChecks } from './checks-file.ts'

const t = texts.checks

export function ImportChecks({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  return (
    <ImportDialog
      texts={t}
      accept=".yaml,.yml,.json"
      load={async (file) => addMissingChecks(client, await readChecks(file))}
      changes={['knowledgeChecks', botId]}
      onClose={onClose}
    >
      {({ created, unchanged }) => (
        <Text size="sm" role="status">
          {t.imported(created, unchanged)}
        </Text>
      )}
    </ImportDialog>
  )
}
