// What the page uses of Preact.
export class Component<Props = any, State = any> {
  constructor(props: Props);
  props: Props;
  state: State;
  setState(state: Partial<State>): void;
}
export const Fragment: (props: any) => any;
export function createElement(tag: any, attributes: Record<string, any> | null, ...children: any[]): Described;
export function render(described: Described | null, container: Element): void;
