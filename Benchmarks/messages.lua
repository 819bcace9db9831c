-- Devices with different ids request the current message, and report that they have shown it: messages.lua <current> <seen> <milliseconds>
-- Each connection waits at random between its requests, on average for that many milliseconds.
dofile(debug.getinfo(1, "S").source:match("@(.*)/") .. "/result.lua")

function init(args)
    local current, seen, pause = args[1], args[2], tonumber(args[3])
    local asked = 0
    math.randomseed(27)
    request = function()
        asked = asked + 1
        local id = "device-" .. math.floor((asked + 1) / 2)
        if asked % 2 == 1 then return wrk.format("GET", current .. "&locale=es-MX&version=2.4&device=" .. id) end
        return wrk.format("POST", seen, nil, '{"id":"campaign","device":"' .. id .. '"}')
    end
    delay = function() return math.random(0, 2 * pause) end
end

function request() end
function delay() return 0 end
