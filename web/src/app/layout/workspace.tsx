/** A workspace: three columns with the places of its arrangement, and handles between them. */
import { Splitter } from '../../ui/splitter.tsx';
import { type Area, SIZES, type SizeName, withSize } from './arrangement.ts';
import { arrange, arrangement, workspace } from './layouts.ts';
import { PlaceView } from './place.tsx';
import { FIRST_ARRANGEMENTS } from './workspaces.ts';

export function Workspace() {
  const { places, sizes } = arrangement.value;
  const has = (...areas: readonly Area[]): boolean => areas.some((area) => places[area] !== undefined);
  const hasLeft = has('left', 'left-low');
  const hasRight = has('right', 'right-low');
  const tracks = [
    ...(hasLeft ? [`minmax(0, ${sizes.left}px)`, '4px'] : []),
    'minmax(240px, 1fr)',
    ...(hasRight ? ['4px', `minmax(0, ${sizes.right}px)`] : []),
  ];
  return (
    <main class="workspace" key={workspace.value} style={{ gridTemplateColumns: tracks.join(' ') }}>
      {hasLeft && <Column upper="left" lower="left-low" size="leftLow" />}
      {hasLeft && <SizeHandle name="left" label="Width of the left places" way="across" perPixel={() => 1} />}
      <Column upper="main" lower="bottom" size="bottom" />
      {hasRight && <SizeHandle name="right" label="Width of the right places" way="across" perPixel={() => -1} />}
      {hasRight && <Column upper="right" lower="right-low" size="rightLow" />}
    </main>
  );
}

interface ColumnProps {
  readonly upper: Area;
  readonly lower: Area;
  readonly size: SizeName;
}

function Column({ upper, lower, size }: ColumnProps) {
  const { places, sizes } = arrangement.value;
  const [above, below] = [places[upper], places[lower]];
  const share = sizes[size];
  const tracks = above === undefined || below === undefined ? '1fr' : `${100 - share}fr 4px ${share}fr`;
  return (
    <div class="column" style={{ gridTemplateRows: tracks.replaceAll(/(\d+fr)/g, 'minmax(0, $1)') }}>
      {above !== undefined && <PlaceView area={upper} place={above} />}
      {above !== undefined && below !== undefined && (
        <SizeHandle name={size} label={`Height of the place below, ${upper}`} way="down" perPixel={shareOfPixel} />
      )}
      {below !== undefined && <PlaceView area={lower} place={below} />}
    </div>
  );
}

/** The percent of the column's height that one pixel is; a handle that goes down makes the lower place smaller. */
function shareOfPixel(handle: HTMLElement): number {
  return -100 / (handle.parentElement?.clientHeight || 1);
}

interface SizeHandleProps {
  readonly name: SizeName;
  readonly label: string;
  readonly way: 'across' | 'down';
  readonly perPixel: (handle: HTMLElement) => number;
}

function SizeHandle({ name, label, way, perPixel }: SizeHandleProps) {
  const size = (value: number): void => arrange((now) => withSize(now, name, value));
  return (
    <Splitter
      label={label}
      way={way}
      {...SIZES[name]}
      value={arrangement.value.sizes[name]}
      perPixel={perPixel}
      onChange={size}
      onReset={() => size(FIRST_ARRANGEMENTS[workspace.peek()].sizes[name])}
    />
  );
}
