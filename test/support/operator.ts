import type { Context } from '../../core/context.ts'
import { operatorToken } from '../../core/operators/credentials.ts'

export interface Told {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** What the operator Ann asks of the admin port; a body that is a text goes as it is. */
export async function askAsOperator(
  { adminUrl, ctx }: { readonly adminUrl: string; readonly ctx: Pick<Context, 'secrets'> },
  method: string,
  route: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Told> {
  const response = await fetch(`${adminUrl}/operator${route}`, {
    method,
    headers: {
      Authorization: `Bearer ${operatorToken(ctx.secrets)}`,
      'X-Operator': 'ann',
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Told['body'] }
}
