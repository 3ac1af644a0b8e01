// The channels that send SMS.
export const smsWays = [
  { name: 'twilio', title: 'Twilio' },
  { name: 'sms', title: 'Another gateway' },
]
