internal import ODataKit
