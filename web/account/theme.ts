import { keepTheme, themes } from '../parts/theme.tsx'
import { PageError } from '../page-error.ts'
import { seeOther } from '../reply.ts'
import type { Posted } from '../visit.ts'

/** Sets the theme of this browser. */
export function chooseTheme({ ctx, koa, form }: Posted): void {
  const theme = themes.find((one) => one === form.get('theme'))
  if (theme === undefined) throw new PageError(422, 'Nothing was changed', 'The form did not say what to choose.')
  keepTheme(koa, theme, ctx.config.publicUrl)
  seeOther(koa, '/account?said=theme')
}
