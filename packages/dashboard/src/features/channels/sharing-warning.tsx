// Another connection of the server has the same account.
import { Alert } from '@mantine/core'

export const SharingWarning = ({ warning }: { warning: string | undefined }) =>
  warning === undefined ? null : (
    <Alert color="yellow" className="foreign">
      {warning}
    </Alert>
  )
