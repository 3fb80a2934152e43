import type { ComponentChildren, VNode } from 'preact';

interface ConfirmationProps {
  /** Where the form is sent. */
  readonly action: string;
  /** What its button says. */
  readonly verb: string;
  /** Where whoever changes their mind goes. */
  readonly back: string;
  /** It cannot be undone. */
  readonly danger?: boolean;
  /** What happens, and what does not. */
  readonly children: ComponentChildren;
}

/** Asks once more before something is changed. */
export function Confirmation({
  action,
  verb,
  back,
  danger = false,
  children,
}: ConfirmationProps): VNode {
  return (
    <>
      {children}
      <div class="actions">
        <form method="post" action={action}>
          <button type="submit" class={danger ? 'danger' : undefined}>
            {verb}
          </button>
        </form>
        <a class="button quiet" href={back}>
          Leave it as it is
        </a>
      </div>
    </>
  );
}
