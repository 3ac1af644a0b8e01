// A QR code. Its library is loaded when it is shown first.
import { lazily } from './lazily.tsx'

export const QrCode = lazily(async () => (await import('./qr-code.tsx')).QrCode)
