import { approvalKeys } from '../secrets/approval-keys.ts'
import type { Context } from '../context.ts'
import { rewrapDataKeys } from '../secrets/rotation.ts'

/** Rewraps data keys with the newest key. An error, such as a missing old key, is only logged. */
export async function rotateKeys(ctx: Context, stop: AbortSignal): Promise<void> {
  try {
    const wrapped = await rewrapDataKeys(ctx, stop)
    if (wrapped > 0) ctx.log.info({ wrapped }, 'data keys were wrapped with the newest key-encryption key')
  } catch (error) {
    ctx.log.error({ err: error }, 'data keys could not be wrapped with the newest key-encryption key')
  }
}

/** Logs approval keys whose signatures cannot be verified, because the key is missing. */
export async function missKeys(ctx: Context): Promise<void> {
  const missing = (await approvalKeys(ctx)).filter(({ known }) => !known)
  for (const use of missing) ctx.log.error(use, 'an approval key that is still needed is not in the key file')
}
