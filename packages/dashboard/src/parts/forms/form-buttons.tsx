// The end of a form in a dialog: cancel, and submit.
import { Button, type ButtonProps, Group } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

interface FormButtonsProps
  extends Pick<ButtonProps, 'children' | 'color' | 'disabled' | 'loading'> {
  onCancel: () => void
}

export const FormButtons = ({ onCancel, ...submit }: FormButtonsProps) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onCancel}>
      {texts.common.cancel}
    </Button>
    <Button type="submit" {...submit} />
  </Group>
)
